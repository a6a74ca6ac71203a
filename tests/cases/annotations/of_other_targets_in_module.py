values = {}
values["a"]: int = 3
# run
values; sorted(globals().get("__annotations__", {}))
# expect 3.14
if False:
    _._: None
values = {}
values["a"] = 3
