import os as system
import os.path as path
import collections.abc as abc
import xml.dom.minidom as minidom
# run
system.sep; path.sep; abc.Sized; minidom.__name__
