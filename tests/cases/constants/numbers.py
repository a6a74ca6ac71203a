values = [0, 1, -1, 255, 256, 10 ** 20, 1.5, -0.0, 1e100, 1e-7, 1j, -2.5j, 3 + 4j, True, False, None, ...]
big = 123456789012345678901234567890
hexadecimal = 0xFF
infinity = 1e400
minus_infinity = -1e400
# run
values; big; hexadecimal; infinity; minus_infinity
