# since: 3.10
def f(x, out):
    match x:
        case [a]:
            out.append(a)
        case {"k": v} if v:
            out.append(v)
# run
out = []; f([1], out); f({"k": 2}, out); f({"k": 0}, out); f(3, out); out
