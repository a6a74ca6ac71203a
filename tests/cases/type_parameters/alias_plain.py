# since: 3.12
type Number = int | float
# run
Number; Number.__value__
