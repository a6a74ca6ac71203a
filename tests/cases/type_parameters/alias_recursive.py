# since: 3.12
type Tree = int | list[Tree]
# run
Tree.__value__
