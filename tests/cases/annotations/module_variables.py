x: int = 1
y: str
z: "text" = "a"
# run
x; z; __annotations__
