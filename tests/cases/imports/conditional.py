import sys
if sys.maxsize:
    import os
    from os import path as p
else:
    os = p = None
# run
p.sep
