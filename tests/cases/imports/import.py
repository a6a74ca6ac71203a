import os
import sys, math
import os.path
import collections.abc
# run
os.sep; math.pi; os.path.join("a", "b"); collections.abc.Sized
