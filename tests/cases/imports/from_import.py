from os import path
from os import sep, linesep as end
from collections.abc import Sized as S
# run
path.sep; sep; S
