"""A client of the Debug Adapter Protocol (microsoft.github.io/debug-adapter-protocol), as an editor has one."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any, Callable

PATIENCE = 200  # seconds; a program that compiles on a machine with much else to do takes its time


class Client:
    """Requests and their answers; events that arrive meanwhile are kept."""

    def __init__(self, port: int) -> None:
        self._socket = connected(port)
        self._file = self._socket.makefile("rb")
        self._events: list[dict[str, Any]] = []
        self._sent = 0

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Send a request and wait for its answer, which must be a success."""
        number = self.send(command, **arguments)
        return self.answer(number)

    def send(self, command: str, **arguments: Any) -> int:
        """Send a request whose answer comes later; its number."""
        self._sent += 1
        message = {"seq": self._sent, "type": "request", "command": command, "arguments": arguments}
        body = json.dumps(message).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return self._sent

    def answer(self, number: int) -> dict[str, Any]:
        """The answer to the request with this number."""
        while True:
            message = self._read()
            if message["type"] == "response" and message["request_seq"] == number:
                assert message["success"], message
                return message.get("body", {})
            if message["type"] == "event":
                self._events.append(message)

    def wait_for(self, event: str, where: Callable[[dict[str, Any]], bool] = lambda body: True) -> dict[str, Any]:
        """The first event of this name (its body), those that came before it forgotten."""
        while True:
            while self._events:
                found = self._events.pop(0)
                if found["event"] == event and where(found.get("body", {})):
                    return found.get("body", {})
                assert found["event"] not in ("terminated", "exited"), f"waited for {event}, but the program ended"
            message = self._read()
            if message["type"] == "event":
                self._events.append(message)

    def set_breakpoints(self, file: Path, *lines: int, **conditions: str) -> list[bool]:
        """Whether each could be set."""
        wanted = [{"line": line, **conditions} for line in lines]
        body = self.ask("setBreakpoints", source={"path": str(file)}, breakpoints=wanted)
        return [each["verified"] for each in body["breakpoints"]]

    def where(self, thread: int) -> list[tuple[str, int, str]]:
        """(file, line, function) of every frame, innermost first."""
        frames = self.ask("stackTrace", threadId=thread)["stackFrames"]
        return [(Path(each["source"]["path"]).name, each["line"], each["name"]) for each in frames]

    def variables(self, thread: int, frame: int = 0) -> dict[str, str]:
        """Local variables of a frame, as the editor shows them."""
        number = self.ask("stackTrace", threadId=thread)["stackFrames"][frame]["id"]
        scopes = self.ask("scopes", frameId=number)["scopes"]
        reference = next(each["variablesReference"] for each in scopes if each["name"] == "Locals")
        shown = self.ask("variables", variablesReference=reference)["variables"]
        return {each["name"]: each["value"] for each in shown}

    def evaluate(self, thread: int, expression: str) -> str:
        """What an expression is in the innermost frame."""
        number = self.ask("stackTrace", threadId=thread)["stackFrames"][0]["id"]
        return self.ask("evaluate", expression=expression, frameId=number, context="repl")["result"]

    def stopped(self) -> int:
        """Wait until the program stops; the thread that did."""
        return int(self.wait_for("stopped")["threadId"])

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._socket.close()

    def _read(self) -> dict[str, Any]:
        length = 0
        while True:
            line = self._file.readline()
            if not line:
                raise EOFError("the debug adapter hung up")
            if line == b"\r\n":
                message: dict[str, Any] = json.loads(self._file.read(length))
                return message
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)


def connected(port: int) -> socket.socket:
    """A connection to a server that may still be starting."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            found = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            found.settimeout(PATIENCE)
            return found
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
