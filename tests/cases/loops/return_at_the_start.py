def f(actions, argument):
    while True:
        action = actions.pop() if actions else None
        if action is None:
            print("skipped")
            return 1
        if argument is not None:
            if action == 0:
                if argument == "=":
                    raise ValueError("ignored")
                argument = argument[1:]
                if not argument:
                    argument = None
            elif action == 1:
                stop = 2
                break
            else:
                raise ValueError(action)
        else:
            stop = 3
            break
    assert stop
    return stop


def g(start, action):
    while True:
        if action is None:
            print("skipped")
            return start + 1
        if start is not None:
            if action == 0:
                action = start
            elif action == 1:
                stop = start + 1
                break
            else:
                raise ValueError(action)
        else:
            stop = 7
            break
    assert stop
    return stop
# run
f([], 1); f([1], "a"); f([1, 0], "ab"); f([2], "a"); f([1, 0], "a"); f([0], "=")
g(1, None); g(1, 0); g(None, 4); g(3, 2); g(0, 1)
