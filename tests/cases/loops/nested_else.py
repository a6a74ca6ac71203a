def f(n):
    primes = []
    for candidate in range(2, n):
        for divisor in primes:
            if candidate % divisor == 0:
                break
        else:
            primes.append(candidate)
    return primes
# run
f(20)
