"""Code objects to definitions: functions, lambdas, comprehensions, classes and modules around their statements."""
