# since: 3.12
type X = int if flag else str
flag = True
# run
X.__value__
