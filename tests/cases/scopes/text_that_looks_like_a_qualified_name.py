class A:
    def f(self):
        class B:
            pass

        return B.__qualname__ == "C.f.<locals>.B", [x + "f.zip" for x in "f.zip"]
# run
A().f()
