total = 0
for i in range(3):
    if i == 1:
        continue
    total += i
while total:
    total -= 1
else:
    done = True
# run
total; done; i
