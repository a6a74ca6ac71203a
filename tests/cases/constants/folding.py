seconds = 24 * 60 * 60
mask = ~0xFF & 0xFFFF
negative = -(-5)
text = "-" * 8 + ">"
nested = (1, 2) + (3,)
item = (4, 5, 6)[1]
division = 1 / 4
# run
seconds, mask, negative, text, nested, item, division
