lines = ["a", "stop", "", "b"]
class Reads:
    while True:
        line = lines.pop()
        if line == "stop":
            print("stopped")
            break
        if not line:
            break
        print(line)
    for line in lines:
        if line == "stop":
            last = line
            break
        elif line == "b":
            break
try:
    while 1:
        line = lines.pop()
        if line == "stop":
            break
        if not line:
            print("nothing")
            break
        print(line)
except IndexError:
    print("all")
while 1:
    line = "a"
    if line:
        break
    print(line)
# expect 3.13 3.14
lines = ["a", "stop", "", "b"]


class Reads:
    while True:
        line = lines.pop()
        if line == "stop":
            print("stopped")
            break
        if not line:
            break
        print(line)
    for line in lines:
        if line == "stop":
            last = line
        elif not line == "b":
            continue
        break


try:
    while True:
        line = lines.pop()
        if line == "stop":
            break
        if not line:
            print("nothing")
            break
        print(line)
except IndexError:
    print("all")
while True:
    line = "a"
    if line:
        break
    print(line)
