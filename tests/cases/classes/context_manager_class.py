class Timer:
    """Counts its uses."""
    uses = 0
    def __init__(self, name, *, quiet=False):
        self.name, self.quiet = name, quiet
    def __enter__(self):
        type(self).uses += 1
        return self
    def __exit__(self, kind, value, trace):
        if not self.quiet:
            print(self.name, kind and kind.__name__)
        return kind is ValueError
    @classmethod
    def many(cls, *names):
        return [cls(name, quiet=True) for name in names]
def f(error):
    with Timer("t") as t:
        if error:
            raise error
        return t.uses
    return "swallowed"
# run
f(None); f(ValueError); f(TypeError); len(Timer.many("a", "b")); Timer.uses
