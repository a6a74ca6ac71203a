class Place:
    pass
def f(place, items):
    return [place.here for place.here in items], place.here
# run
f(Place(), [1, 2])
