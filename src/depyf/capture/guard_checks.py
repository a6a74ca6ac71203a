"""What a ``full_code`` file needs to evaluate its guards, in the process that compiled them.

    @_check.entry(lambda a, b: locals())
    def guards_0_0(L, G, check):
        yield check.tensor(L['a'], 'float32', [10])

``guards_0_0(a, b)`` says whether torch would run [0/0] for these arguments; ``guards_0_0.why_not(a, b)`` gives the line
of the first condition that fails. Importing this module imports no torch. Nothing here keeps an object of the user
alive: torch's cache entry is looked up at each call.
"""

from __future__ import annotations

import linecache
import os
import threading
import weakref
from collections import OrderedDict
from contextlib import nullcontext
from dataclasses import dataclass
from types import CodeType
from typing import Any, Callable, Iterator, Mapping, Sequence

from depyf.capture import seams
from depyf.capture.guard_code import CPU_KEYS, contiguous

Conditions = Callable[[Mapping[str, Any], Mapping[str, Any], "Check"], Iterator[Any]]


class CannotTell(RuntimeError):
    """The guards cannot be evaluated here; the message says why."""


@dataclass(frozen=True)
class Known:
    """What this process knows about one entry. ``conditions`` are all its guards as expressions; numbers in them are
    positions in ``numbers`` (ids and versions) and ``texts`` (torch's own)."""

    compile_id: str
    code: weakref.ref[CodeType]
    numbers: Sequence[int]
    texts: Sequence[str]
    conditions: Sequence[str | None]


_known: dict[str, Mapping[str, Known]] = {}
_lock = threading.Lock()


def remember(file: str, entries: Mapping[str, Known]) -> None:
    """Let the guard functions in ``file`` work; the keys are their names."""
    with _lock:
        _known[os.path.realpath(file)] = entries


def entry(arguments: Callable[..., dict[str, Any]]) -> Callable[[Conditions], EntryGuards]:
    """Makes a guard function of conditions; ``arguments`` turns the function's own arguments into its locals."""

    def make(conditions: Conditions) -> EntryGuards:
        return EntryGuards(conditions, arguments)

    return make


class EntryGuards:
    """The guards of one entry. Raises :class:`CannotTell` outside of the process that compiled it, once torch has
    dropped the entry, and where a guard that only torch can evaluate is reached."""

    def __init__(self, conditions: Conditions, arguments: Callable[..., dict[str, Any]]) -> None:
        self._conditions = conditions
        self._arguments = arguments
        self.__name__ = conditions.__name__
        self.__doc__ = f"{conditions.__name__}: whether torch would use this entry."

    def __call__(self, *args: Any, **kwargs: Any) -> bool:
        """True when every guard holds for the function's arguments (variables of functions around it by keyword)."""
        return self.on(self._arguments(*args, **kwargs))

    def on(self, local: Mapping[str, Any]) -> bool:
        """The same, for the frame's locals as a mapping."""
        return self._first_failing(local) is None

    def why_not(self, *args: Any, **kwargs: Any) -> str | None:
        """The first condition that fails, as the file has it; None when all hold."""
        return self._first_failing(self._arguments(*args, **kwargs))

    def _first_failing(self, local: Mapping[str, Any]) -> str | None:
        check = Check(self._entry(), local)
        failing = check.failing_around()
        if failing is not None:
            return failing
        with check.without_torch_functions():
            conditions = self._conditions(local, check.globals, check)
            line = _first_failing(conditions)
            return check.failed or line

    def _entry(self) -> Known:
        file = self._conditions.__code__.co_filename
        found = _known.get(os.path.realpath(file), {}).get(self.__name__)
        if found is None:
            raise CannotTell(
                f"guards hold ids of objects: {self.__name__} works in the process that wrote {file}, "
                "imported from where it was written"
            )
        return found


def _first_failing(conditions: Iterator[Any]) -> str | None:
    """The line of the condition that was not met. A condition that raises is not met, as in torch."""
    line = ""
    frame = conditions.gi_frame  # type: ignore[attr-defined]
    while True:
        try:
            holds = next(conditions)
        except StopIteration:
            return None
        except CannotTell:
            raise
        except Exception as error:  # a missing key, an attribute that is gone: the guard fails
            number = error.__traceback__.tb_next.tb_lineno if error.__traceback__ and error.__traceback__.tb_next else 0
            return _line(frame.f_code.co_filename, number)
        line = _line(frame.f_code.co_filename, frame.f_lineno)
        if not holds:
            return line


def _line(file: str, number: int) -> str:
    return " ".join(linecache.getline(file, number).replace("yield ", "", 1).split()) or f"line {number}"


class Check:
    """Torch's checks, each as its C++ makes it; names that are not here are torch's own helpers."""

    def __init__(self, known: Known, local: Mapping[str, Any]) -> None:
        self._known = known
        self._local = local
        self.failed: str | None = None
        self._manager = _live_manager(known)
        self.globals: Mapping[str, Any] = self._manager.global_scope["G"]
        self._helpers: Mapping[str, Any] = self._manager.closure_vars

    def __getattr__(self, name: str) -> Any:
        try:
            return self._helpers[name]
        except KeyError:
            raise AttributeError(f"torch has no {name} for guards") from None

    def tensor(
        self,
        value: Any,
        dtype: str,
        size: list[int | None],
        *,
        stride: list[int | None] | None = None,
        device: int | None = None,
        requires_grad: bool = False,
        cls: str = "torch.Tensor",
        keys: str = CPU_KEYS,
    ) -> bool:
        """Class, dispatch keys (they hold the kind of device), dtype, device index, requires_grad, sizes and strides;
        None in ``size`` and ``stride`` is any."""
        if cls not in (f"{type(value).__module__}.{type(value).__qualname__}", type(value).__qualname__):
            return False
        strides = contiguous(size) if stride is None else stride
        return (
            _dispatch_keys(value) == f"DispatchKeySet({keys})"
            and str(value.dtype) == f"torch.{dtype}"
            and value.device.index == device
            and value.requires_grad is requires_grad
            and _fits(tuple(value.size()), size)
            and (str(value.layout) != "torch.strided" or _fits(value.stride(), strides))
        )

    def equal(self, value: Any, expected: Any) -> bool:
        """Of the same type, and equal."""
        return value is expected or (type(value) is type(expected) and bool(value == expected))

    def same(self, value: Any, position: int) -> bool:
        """The object that was there when the entry was compiled."""
        return id(value) == self._known.numbers[position]

    def is_type(self, value: Any, position: int) -> bool:
        """Of exactly the type of then."""
        return id(type(value)) == self._known.numbers[position]

    def version(self, value: Any, position: int) -> bool:
        """A dict that nobody changed since."""
        return bool(self.___dict_version(value) == self._known.numbers[position])

    def check_no_aliasing(self, *tensors: Any) -> bool:
        """Different tensors."""
        return len({id(each) for each in tensors}) == len(tensors)

    def check_overlapping(self, overlapping: Sequence[Any], non_overlapping: Sequence[Any]) -> bool:
        """The first ones share memory with one another, the others with none."""
        compute = seams.OVERLAPS.find()
        if compute is None:
            raise CannotTell("this torch does not tell which tensors share memory")
        found = compute([*overlapping, *non_overlapping], symbolic=False)
        return set(found) == set(range(len(overlapping)))

    def is_dict(self, value: Any, type_name: str, size: int | None) -> bool:
        """A dict of exactly this type and size, as far as torch tells them."""
        cls = type(value)
        # TORCHVERSIONS: 2.8 does not print types; it guards the keys of these in order
        named = cls in (dict, OrderedDict) if not type_name else f"{cls.__module__}.{cls.__qualname__}" == type_name
        return (named or (cls is dict and type_name == "dict")) and size in (None, len(value))

    def item(self, value: Any, key: Any) -> Any:
        """The value under a key, without asking ``__missing__`` or an overridden lookup. Raises KeyError."""
        if not dict.__contains__(value, key):
            raise KeyError(key)
        return dict.__getitem__(value, key)

    def exists(self, value: Any) -> bool:
        """It can be read: torch looks it up and compares nothing."""
        return True

    def saved_tensors_hooks(self, positions: list[int] | None) -> bool:
        """The hooks on saved tensors that are compiled in."""
        hooks, inlined = seams.SAVED_TENSORS_HOOKS.find(), seams.HOOKS_INLINED.find()
        if hooks is None or inlined is None:
            raise CannotTell("this torch does not tell the hooks on saved tensors")
        current = hooks()
        found = [id(each) for each in current] if inlined(current) else None
        return bool(found == (None if positions is None else [self._known.numbers[each] for each in positions]))

    def by_torch(self, value: Any, position: int) -> bool:
        """Ask torch's own check: it alone knows what it compares with."""
        text = self._known.texts[position]
        for leaf in _leaves(self._manager.root):
            if any(part.startswith(text) for part in leaf.verbose_code_parts()):
                return bool(leaf(value))
        raise CannotTell(f"torch no longer has its check {text}")

    def unknown(self) -> bool:
        """A guard that has no form in Python."""
        raise CannotTell("this guard cannot be evaluated in Python; the file says which it is")

    def rest(self) -> bool:
        """All conditions, so also those that the file does not list."""
        self.failed = self._failing(each for each in self._known.conditions if each not in _AROUND)
        return self.failed is None

    def failing_around(self) -> str | None:
        """The first condition on torch's global state that fails: these see torch functions as they are."""
        return self._failing(each for each in self._known.conditions if each in _AROUND)

    def without_torch_functions(self) -> Any:
        """Torch evaluates guards on values with torch functions off."""
        off = seams.NO_TORCH_FUNCTIONS.find()
        return nullcontext() if off is None else off()

    def _failing(self, conditions: Iterator[str | None]) -> str | None:
        names = {"L": self._local, "G": self.globals, "check": self}
        for each in conditions:
            if each is None:
                self.unknown()
            elif not _holds(each, names):
                return each
        return None


_AROUND = ("check.___check_global_state()", "check.___check_torch_function_mode_stack()")


def _holds(condition: str, names: dict[str, Any]) -> bool:
    try:
        return bool(eval(condition, names))
    except CannotTell:
        raise
    except Exception:  # as in torch: what cannot be looked up does not hold
        return False


def _fits(actual: Sequence[int], expected: Sequence[int | None]) -> bool:
    return len(actual) == len(expected) and all(one in (None, other) for one, other in zip(expected, actual))


def _dispatch_keys(value: Any) -> str:
    keys, included, excluded = (seam.find() for seam in seams.DISPATCH_KEYS)
    if keys is None or included is None or excluded is None:
        raise CannotTell("this torch does not tell the dispatch keys of a tensor")
    return str((keys(value) | included()) - excluded())


def _live_manager(known: Known) -> Any:
    entries, code = seams.CACHE_ENTRIES.find(), known.code()
    for each in entries(code) if entries is not None and code is not None else ():
        if str(getattr(each, "compile_id", known.compile_id)) == known.compile_id:
            return getattr(each, "guard_manager", None) or each.check_fn  # TORCHVERSIONS: check_fn until 2.7
    raise CannotTell(f"torch has dropped [{known.compile_id}]: it was reset, or an object that its guards name is gone")


def _leaves(manager: Any) -> Iterator[Any]:
    """All checks below a guard manager."""
    yield from manager.get_leaf_guards()
    pairs = manager.get_key_value_managers().values() if hasattr(manager, "get_key_value_managers") else ()
    below = [each for pair in pairs for each in pair if each is not None] or manager.get_child_managers()
    for each in below:
        yield from _leaves(each)
    if hasattr(manager, "get_epilogue_lambda_guards"):
        yield from manager.get_epilogue_lambda_guards()
