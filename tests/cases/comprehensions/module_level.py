items = [1, 2, 3]
squares = [item * item for item in items]
mapping = {item: [other for other in items if other != item] for item in items}
unique = {item for item in items}
# run
squares; mapping; unique
