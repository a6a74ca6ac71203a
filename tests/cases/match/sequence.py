# since: 3.10
def f(x):
    match x:
        case []:
            return 0
        case [a]:
            return a
        case [a, [b, c]]:
            return a, b, c
        case (1, 2, _):
            return "one two"
# run
f([]); f([1]); f((1, [2, 3])); f([1, 2, 3]); f("ab"); f([4, 5])
