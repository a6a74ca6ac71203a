try:
    from math import missing_name as found
except ImportError:
    found = None
# run
found
