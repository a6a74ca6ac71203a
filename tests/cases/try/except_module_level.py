try:
    import missing_module_of_no_name
except ImportError as error:
    missing_module_of_no_name = None
    reason = type(error).__name__
else:
    reason = "there"
# run
missing_module_of_no_name; reason; error
