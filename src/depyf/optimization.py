"""Call what torch.compile made of a method without its guards.

    class Model(TorchCompileWrapperWithCustomDispatcher):
        def __init__(self):
            super().__init__(torch.compile(self.forward))

        def __call__(self, x):
            if not self.compiled_codes:
                return self.compiled_callable(x)
            with self.dispatch_to_code(0):
                return self.forward(x)

Without guards nothing notices that an argument or an attribute differs from those that the code was compiled for.
"""

from __future__ import annotations

import threading
import weakref
from abc import ABC, abstractmethod
from contextlib import contextmanager
from types import CodeType, FunctionType, MethodType
from typing import Any, Callable, Iterator, List, Optional

from depyf.capture.seams import BYTECODE_HOOK, INNERMOST, while_nobody_compiles

_running = threading.local()


class TorchCompileWrapperWithCustomDispatcher(ABC):
    """Keeps each code object that Dynamo makes of ``forward`` for this object, and can run any of them by its number.

    Args:
        compiled_callable: what ``torch.compile`` made of ``self.forward``, or of a function that calls it.
        use_custom_dispatcher: kept for the ``__call__`` of subclasses to look at.

    Raises:
        RuntimeError: this torch has no bytecode hook.
    """

    def __init__(self, compiled_callable: Callable[..., Any], use_custom_dispatcher: bool = True) -> None:
        register = BYTECODE_HOOK.find()
        if register is None:
            raise RuntimeError(f"this torch has no {BYTECODE_HOOK.name}, and compiled code cannot be kept")
        self.use_custom_dispatcher = use_custom_dispatcher
        self.compiled_callable = self._noticed(compiled_callable)
        self.compiled_codes: List[CodeType] = []
        # Compiled may also be a function that `forward` calls.
        self._function = _function_behind(compiled_callable) or type(self).forward
        self.original_code_object: CodeType = self._function.__code__
        watching = weakref.WeakMethod(self.bytecode_hook)
        with while_nobody_compiles():
            handle = register(lambda old, new: _passed_on(watching, old, new))
        weakref.finalize(self, handle.remove)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """With guards; subclasses decide otherwise."""
        return self.compiled_callable(*args, **kwargs)

    @abstractmethod
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What is compiled."""

    def bytecode_hook(self, old_code: CodeType, new_code: CodeType) -> Optional[CodeType]:
        """Called by torch for all that it compiles. Objects of one class share ``forward``: each keeps only what is
        compiled while its own ``compiled_callable`` runs."""
        if old_code is self.original_code_object and getattr(_running, "object", None) is self:
            self.compiled_codes.append(new_code)
        return None

    @contextmanager
    def dispatch_to_code(self, index: int) -> Iterator[None]:
        """While this lasts, ``self.forward`` runs ``self.compiled_codes[index]``, whatever its guards say."""
        code = self.compiled_codes[index]
        with self._as_forward(code) if self._function is type(self).forward else self._inside_forward(code):
            yield

    @contextmanager
    def _as_forward(self, code: CodeType) -> Iterator[None]:
        function, own = self._function, vars(self)
        made = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
        made.__kwdefaults__ = function.__kwdefaults__
        own["forward"] = MethodType(made, self)
        try:
            yield
        finally:
            own.pop("forward", None)

    @contextmanager
    def _inside_forward(self, code: CodeType) -> Iterator[None]:
        self._function.__code__ = code
        try:
            yield
        finally:
            self._function.__code__ = self.original_code_object

    def _noticed(self, compiled_callable: Callable[..., Any]) -> Callable[..., Any]:
        """``compiled_callable``; while it runs, this object is known to be the one that is compiled."""
        this = weakref.ref(self)

        def noticed(*args: Any, **kwargs: Any) -> Any:
            around = getattr(_running, "object", None)
            _running.object = this()
            try:
                return compiled_callable(*args, **kwargs)
            finally:
                _running.object = around

        return noticed


# As spelled in the first releases.
TorchCompileWrapperWithCustomDispacther = TorchCompileWrapperWithCustomDispatcher


def _function_behind(compiled_callable: Callable[..., Any]) -> Any:
    innermost = INNERMOST.find()
    found = innermost(compiled_callable) if innermost is not None else None
    found = getattr(found, "__func__", found)
    return found if isinstance(found, FunctionType) else None


def _passed_on(hook: Callable[[], Any], old: CodeType, new: CodeType) -> Optional[CodeType]:
    """The hook list of torch must not keep the object alive."""
    method = hook()
    return None if method is None else method(old, new)
