values = {}
values["a"]: int = 3
# run
values; sorted(globals().get("__annotations__", {}))
