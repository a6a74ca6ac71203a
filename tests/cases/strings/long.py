text = """a line
another line

    indented 'single' and "double" quotes
"""
def f():
    return """several
lines"""
# run
text; f()
