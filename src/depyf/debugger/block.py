"""``depyf.debug``: what torch.compile made of a program runs from the dump directory, under a debugger."""

from __future__ import annotations

import bdb
import os
import sys
import threading
from contextlib import ExitStack
from types import FrameType, TracebackType
from typing import Any, Callable, Iterable, TextIO

from depyf.capture import seams
from depyf.capture.prepare import latest_run
from depyf.debugger import pause
from depyf.debugger.editor import Editor, attached
from depyf.debugger.exchange import Exchange
from depyf.debugger.folded import nearest_unfolded
from depyf.debugger.places import parse, places, told
from depyf.debugger.shell import Shell

_lock = threading.Lock()
_active: list[_Active] = []


class debug:  # noqa: N801  (a context manager that reads like a function; the name is public)
    """Step through what the latest ``prepare_debug`` block wrote down.

        with depyf.prepare_debug("./dump"):
            main()
        with depyf.debug():
            main()

    Inside the block the files of the dump directory are what runs: transformed code, resume functions, graphs and
    Inductor's wrappers; breakpoints in them hit. Only code that was verified to be the same is put in place; the rest
    runs as torch has it. The block begins with a pause in the frame that entered it: in the attached editor (debugpy),
    in the debugger that ``PYTHONBREAKPOINT`` or ``sys.breakpointhook`` names, or in pdb. When it ends everything is
    torch's own again. What is compiled inside is written to the same directory. Blocks may be nested and entered from
    several threads; each pauses its own.

    Args:
        break_at: ``"model.py:42"``: do not pause at once, but wherever compiled code that came from that line runs.

    Raises:
        ValueError: ``break_at`` is no ``FILE:LINE``.
        RuntimeError: no ``prepare_debug`` block came before. On entering.
        OSError: its directory is gone, or another process writes to it now. On entering.
    """

    def __init__(self, break_at: str | None = None) -> None:
        if break_at is not None:
            parse(break_at)
        self._break_at = break_at
        self._entered: list[tuple[Shell | None, ExitStack]] = []

    def __enter__(self) -> None:
        frame = nearest_unfolded()
        seams.torch_version()
        stack = ExitStack()
        active = seams.outside_dynamo(_enter)()
        stack.callback(seams.outside_dynamo(_leave))
        try:
            # Debuggers follow Python's threads only; those in which torch runs the backward of a GPU are none.
            stack.enter_context(seams.backward_in_this_thread())
            shell = self._start(active, frame, stack)
        except BaseException:
            stack.close()
            raise
        self._entered.append((shell, stack))

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> bool:
        if not self._entered:
            raise RuntimeError("this debug block is left without having been entered")
        shell, stack = self._entered.pop()
        if shell is not None:
            shell.end()
        stack.close()
        if shell is None or not shell.quitted:
            return False
        if error is not None and not isinstance(error, bdb.BdbQuit):
            return False
        return _quit()

    def _start(self, active: _Active, frame: FrameType, stack: ExitStack) -> Shell | None:
        """Pause, or be ready to, with whatever debugger is there; the result is pdb, when it is ours."""
        editor, hook = attached(), pause.chosen_hook()
        is_ours = editor is None and hook is None and not pause.is_off()
        _tell(active.exchange, sys.stdout if is_ours else sys.stderr)
        if editor is not None:
            self._start_editor(active, editor, frame, stack)
        elif hook is not None and not pause.is_off():
            pause.call_hook(hook, frame)
        return self._start_pdb(active, frame, stack) if is_ours else None

    def _start_editor(self, active: _Active, editor: Editor, frame: FrameType, stack: ExitStack) -> None:
        stack.callback(editor.end)
        editor.look_again()
        self._follow(active, stack, editor.look_again)
        if self._break_at is None:
            editor.pause_at(frame)
        else:
            self._keep_breaks(active, stack, self._break_at, editor.add_breaks)

    def _start_pdb(self, active: _Active, frame: FrameType, stack: ExitStack) -> Shell:
        shell = active.shell()
        stack.callback(_restore_hook, sys.breakpointhook)
        sys.breakpointhook = seams.outside_dynamo(lambda *_, **__: active.shell().pause_at(nearest_unfolded()))
        if self._break_at is None:
            shell.pause_at(frame)
        else:
            self._keep_breaks(active, stack, self._break_at, shell.add_breaks)
            shell.run_to_breaks(frame)
        return shell

    def _keep_breaks(
        self, active: _Active, stack: ExitStack, place: str, add: Callable[[Iterable[tuple[str, int]]], None]
    ) -> None:
        """Set breakpoints for a line of the user's, now and whenever something was compiled."""
        lines = active.lines_of(place)
        if len(lines) == 1:
            sys.stderr.write(f"depyf: nothing that runs now came from {place}; it pauses when something does\n")
        add(lines)
        self._follow(active, stack, lambda: add(active.lines_of(place)))

    def _follow(self, active: _Active, stack: ExitStack, step: Callable[[], None]) -> None:
        active.exchange.after_exchange.append(step)
        stack.callback(active.exchange.after_exchange.remove, step)


class _Active:
    """What blocks that overlap share."""

    def __init__(self) -> None:
        self.blocks = 1
        self.shells: dict[int, Shell] = {}
        self.run = latest_run()
        try:
            self.exchange = Exchange(self.run.__enter__())
        except LookupError as error:
            raise RuntimeError(
                "depyf.debug() steps through what depyf.prepare_debug(directory) wrote down: "
                "run the program in such a block before"
            ) from error
        try:
            self.exchange.start()
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        for shell in self.shells.values():
            shell.end()
        try:
            self.exchange.restore()
        finally:
            self.run.__exit__(None, None, None)

    def shell(self) -> Shell:
        """The calling thread's."""
        thread = threading.get_ident()
        if thread not in self.shells:
            directory = self.exchange.directory
            self.shells[thread] = Shell(directory, lambda place: told(directory, place))
        return self.shells[thread]

    def lines_of(self, place: str) -> list[tuple[str, int]]:
        """Where to stop for a line of the user's: the first operation or kernel that came from it in each file that
        runs, transformed code where no graph has any; and the line itself, which runs where it was not compiled.
        """
        running, directory = self.exchange.running.files, self.exchange.directory
        found = places(directory, place)
        first: dict[str, dict[str, int]] = {"graph": {}, "kernel": {}, "transformed": {}}
        for each in found:
            if each.kind != "user" and directory / each.file in running:
                first[each.kind].setdefault(str(directory / each.file), each.line)
        made = {**first["graph"], **first["kernel"]} or first["transformed"]
        file, line = parse(place)
        own = {each.file for each in found if each.kind == "user" and each.line == line} or {os.path.abspath(file)}
        return [*made.items(), *((each, line) for each in sorted(own))]


def _enter() -> _Active:
    with seams.while_nobody_compiles(), _lock:
        if _active:
            _active[0].blocks += 1
        else:
            _active.append(_Active())
        return _active[0]


def _leave() -> None:
    with seams.while_nobody_compiles(), _lock:
        _active[0].blocks -= 1
        if not _active[0].blocks:
            _active.pop().end()


def _restore_hook(hook: Any) -> None:
    sys.breakpointhook = hook


def _tell(exchange: Exchange, stream: TextIO | None) -> None:
    """Say once where the files are."""
    if not exchange.told and stream is not None:
        exchange.told = True
        stream.write("\n".join(exchange.running.words(exchange.directory)) + "\n")


def _quit() -> bool:
    """End the program, as pdb's documentation says of ``q``; a prompt to return to is returned to instead."""
    if hasattr(sys, "ps1") or sys.flags.interactive:
        return True
    raise SystemExit(0) from None
