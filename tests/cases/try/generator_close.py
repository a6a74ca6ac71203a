def f(log):
    try:
        while True:
            log.append((yield len(log)))
    except GeneratorExit:
        print("closed")
    finally:
        print("done")
# run
g = f([]); next(g); g.send("a"); g.close()
