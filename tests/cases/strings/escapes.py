text = "tab\t newline\n quote' double\" backslash\\ null\0 bell\x07 unicode\u1234 \U0001F600 surrogate \ud800"
raw = r"\d+\n"
data = b"bytes\x00\xff'\""
# run
text.encode("utf-8", "surrogatepass"); raw; data
