# since: 3.12
type Lazy = undefined.attribute
# run
Lazy; Lazy.__value__
