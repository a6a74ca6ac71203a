"""Programs run twice: as Dynamo compiles them, and with decompiled code in the place of every code object it makes."""
