"""Ask one decompiler: ``answer.py FOLDER NAME HOW``, in the environment where it is installed.

``HOW`` is ``decompile``: the package's ``depyf.decompile(code)``; ``python MODULE:FUNCTION``: its documented function
of a path; or else the arguments of its own command, where ``{pyc}`` stands for the file and ``{out}`` for a folder
where it may write.  Everything runs in one process, so that starting Python is not part of the time.  Answers are
appended to ``NAME.jsonl`` one by one: started again after a crash or a hang, this goes on behind what caused it.
"""

from __future__ import annotations

import io
import json
import marshal
import os
import signal
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from importlib.metadata import distribution, version
from pathlib import Path
from types import CodeType
from typing import Any, Callable, List

SECONDS = 10


class TimeIsUp(BaseException):
    """A function took too long."""


def code_of(pyc: Path) -> CodeType:
    """The code object of the function in a sample's file."""
    module: CodeType = marshal.loads(pyc.read_bytes()[16:])
    return next(each for each in module.co_consts if isinstance(each, CodeType))


def asker(name: str, how: List[str]) -> Callable[[Path], str]:
    """What gives the source for a ``.pyc``; raises anything when there is none."""
    if how == ["decompile"]:
        decompile = import_module("depyf").decompile
        return lambda pyc: str(decompile(code_of(pyc)))
    if how[0] == "python":
        module, function = how[1].split(":")
        documented = getattr(import_module(module), function)
        return lambda pyc: str(documented(str(pyc)))
    scripts = [each for each in distribution(name).entry_points if each.group == "console_scripts"]
    main = next(each for each in scripts if each.name == name).load()
    return lambda pyc: _command(main, [name, *how], pyc, pyc.parent / name)


def _command(main: Callable[[], Any], words: List[str], pyc: Path, out: Path) -> str:
    """What it wrote into its folder, or else printed."""
    before, printed = sys.argv, io.StringIO()
    sys.argv = [word.format(pyc=pyc, out=out) for word in words]
    out.mkdir(exist_ok=True)
    try:
        with redirect_stdout(printed), redirect_stderr(io.StringIO()):
            status = main()
    except SystemExit as stop:
        status = stop.code
    finally:
        sys.argv = before
    if status not in (None, 0):
        raise RuntimeError(f"exit status {status}")
    written = out / "function.py"
    return written.read_text("utf-8") if written.exists() else printed.getvalue()


def _time_is_up(*_: object) -> None:
    raise TimeIsUp


def main(folder: Path, name: str, how: List[str]) -> int:
    """Ask for every function that has no answer yet."""
    sample = json.loads((folder / "sample.json").read_text())["functions"]
    out = folder / f"{name}.jsonl"
    done = len(out.read_text("utf-8").splitlines()) if out.exists() else 0
    begun = folder / f"{name}.begun"
    ask = asker(name, how)
    (folder / f"{name}.version").write_text(version(name) if name != "ours" else import_module("depyf").__version__)
    alarm = hasattr(signal, "setitimer")
    if alarm:
        signal.signal(signal.SIGPROF, _time_is_up)
    with out.open("a", encoding="utf-8") as answers:
        for number, row in enumerate(sample[done:], done):
            begun.write_text(str(number))
            if alarm:
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
            start = time.process_time()
            try:
                answer = {"source": ask(folder / row["place"] / "function.pyc")}
            except TimeIsUp:
                answer = {"error": f"no answer in {SECONDS} s of CPU time"}
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"[:300]}
            finally:
                if alarm:
                    signal.setitimer(signal.ITIMER_PROF, 0)
            answers.write(json.dumps({**answer, "seconds": time.process_time() - start}) + os.linesep)
            answers.flush()
    begun.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
