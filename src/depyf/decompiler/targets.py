"""Whatever holds code, to source: ``depyf.decompile``."""

from __future__ import annotations

import ast
import importlib
import os
from functools import partial
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from types import AsyncGeneratorType, CodeType, CoroutineType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from depyf.decompiler.candidate import compile_candidate, needs_async_scope, printed
from depyf.decompiler.decompile import decompile_code
from depyf.decompiler.emit import Comment, emit
from depyf.decompiler.live import CO_FUTURE_ANNOTATIONS, signature_of, with_signature
from depyf.decompiler.live_classes import class_tree, missing
from depyf.decompiler.refusals import NOT_PROVED, Refused
from depyf.decompiler.sources import UnreadableTarget, code_of_file
from depyf.decompiler.verify import Certificate, verify

ENCLOSING = "enclosing"


class Proof(NamedTuple):
    """The qualified name of a code object, and how what is printed for it was proved."""

    name: str
    certificate: Certificate


class Answer(NamedTuple):
    """Printed source as a tree, and a proof for every code object that it was made from; ``text`` is the tree as it
    was printed for the proof."""

    tree: ast.Module
    proofs: Tuple[Proof, ...]
    text: Optional[str] = None

    def source(self, indent: int = 4) -> str:
        """The text, ending with a line break."""
        return self.text if self.text is not None and indent == 4 else emit(self.tree, indent)


def decompile(target: object) -> str:
    """Source that provably does the same as the code of ``target``.

    Args:
        target: a code object; a function, method, generator, coroutine or asynchronous generator; a class (its methods
            one by one, comments saying what a class does not keep); a module, or its name (its bytecode is read, not
            run); ``"module:name"`` (the module is imported); the path of a ``.py`` or ``.pyc`` file (never run).

    Returns:
        The text, ending with a line break.

    Raises:
        DecompilationError: there is no verified answer (the message names the construct and the bytecode offset), or
            there is no such code (the subclass ``UnreadableTarget``).
        TypeError: ``target`` is nothing that holds Python code.
    """
    return answer(target).source()


def answer(target: object) -> Answer:
    """As :func:`decompile`, with the tree and the proofs."""
    for kinds, read in _READERS:
        if isinstance(target, kinds):
            return read(target)
    raise TypeError(f"depyf cannot decompile {type(target).__name__} objects: they hold no Python code")


def code_of(target: object) -> CodeType:
    """The one code object that a function, method, generator, coroutine, file or module is made of.

    Raises as :func:`decompile`; TypeError for classes, which are made of several.
    """
    if isinstance(target, CodeType):
        return target
    if isinstance(target, (str, os.PathLike)):
        named = _named(os.fspath(target))
        return named if isinstance(named, CodeType) else code_of(named)
    if isinstance(target, ModuleType):
        return _code_of_module(target)
    if isinstance(target, (staticmethod, classmethod, MethodType)):
        return code_of(target.__func__)
    for attribute in ("__code__", "gi_code", "cr_code", "ag_code"):
        code = getattr(target, attribute, None)
        if isinstance(code, CodeType):
            return code
    raise TypeError(f"{type(target).__name__} objects have no code object of their own")


def answer_for_code(code: CodeType) -> Tuple[Answer, CodeType]:
    """As :func:`answer`, with the recompiled code object that was proved to do the same."""
    found = decompile_code(code)
    proofs = (Proof(_qualified_name(code), found.certificate),)
    tree = _standing_alone(found.tree, code)
    return Answer(tree, proofs, found.source if tree.body is found.tree.body else None), found.candidate


def _answer_for_code(target: object) -> Answer:
    return answer_for_code(code_of(target))[0]


def _qualified_name(code: CodeType) -> str:
    return getattr(code, "co_qualname", code.co_name)


def _standing_alone(tree: ast.Module, code: CodeType) -> ast.Module:
    """``tree`` as a program of its own: what its compilation needs from around it is put around it."""
    if code.co_name == "<module>":
        return tree
    free = code.co_freevars if _declares_nonlocal(tree, code.co_freevars) else ()
    body = tree.body
    if needs_async_scope(code):
        outer = ast.parse(f"async def {ENCLOSING}():\n    pass").body[0]
        assert isinstance(outer, ast.AsyncFunctionDef)
        outer.body = body
        body = [Comment("asynchronous comprehensions stand in asynchronous functions only"), outer]
    return ast.Module(_in_its_scope(body, free, bool(code.co_flags & CO_FUTURE_ANNOTATIONS)), [])


def _in_its_scope(body: List[ast.stmt], free: Sequence[str], future_annotations: bool) -> List[ast.stmt]:
    """Statements with what binds their nonlocal names around them and the feature that their annotations need."""
    if free:
        body = _inside_function(body, free)
    if future_annotations and _is_annotated(body):
        body = [ast.ImportFrom("__future__", [ast.alias("annotations", None)], 0), *body]
    return body


def _declares_nonlocal(tree: ast.AST, free: Sequence[str]) -> bool:
    return bool(free) and any(
        isinstance(node, ast.Nonlocal) and not set(free).isdisjoint(node.names) for node in _blocks(tree)
    )


def _blocks(tree: ast.AST) -> Iterator[ast.AST]:
    """As ``ast.walk``, without expressions: no statement is in them."""
    pending = [tree]
    for node in pending:
        yield node
        pending += (each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr))


def _inside_function(body: List[ast.stmt], free: Sequence[str]) -> List[ast.stmt]:
    """Statements in a function that binds what is nonlocal in them."""
    names = [name for name in free if name != "__class__"]
    outer = ast.parse(f"def {ENCLOSING}():\n" + "".join(f"    {name} = None\n" for name in names)).body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body += body
    return [Comment("the function around it binds what is nonlocal in it"), outer]


def _is_annotated(body: List[ast.stmt]) -> bool:
    nodes = ast.walk(ast.Module(body, []))
    return any(getattr(node, "annotation", None) or getattr(node, "returns", None) for node in nodes)


def _function_statements(function: FunctionType, proofs: List[Proof]) -> Tuple[ast.Module, CodeType]:
    """A function's definition with the defaults and annotations that it has, after comments on those that are lost."""
    code = function.__code__
    found = decompile_code(code)
    *before, last = found.tree.body
    signature = signature_of(function)
    if isinstance(last, (ast.FunctionDef, ast.AsyncFunctionDef)):
        definition: ast.stmt = with_signature(last, signature)  # type: ignore[assignment]
    elif isinstance(last, ast.Expr) and isinstance(last.value, ast.Lambda):
        definition = ast.Expr(with_signature(last.value, signature))  # type: ignore[arg-type]
    else:
        definition = last
    certificate = found.certificate
    if signature.defaults or signature.kwdefaults or signature.annotations:
        tree = ast.Module([*before, definition], [])
        verdict = verify(code, compile_candidate(tree, printed(tree), code))
        if not isinstance(verdict, Certificate):
            raise Refused(NOT_PROVED, str(verdict), code.co_name)
        certificate = verdict
    proofs.append(Proof(function.__qualname__, certificate))
    comments: List[ast.stmt] = [Comment(text) for text in signature.lost]
    return ast.Module([*comments, *before, definition], []), code


def _answer_for_function(target: object) -> Answer:
    assert isinstance(target, FunctionType)
    proofs: List[Proof] = []
    tree, code = _function_statements(target, proofs)
    return Answer(_standing_alone(tree, code), tuple(proofs))


def _answer_for_wrapped(target: object) -> Answer:
    inner = target.func if isinstance(target, partial) else target.__func__  # type: ignore[attr-defined]
    return answer(inner)


def _answer_for_class(target: object) -> Answer:
    assert isinstance(target, type)
    proofs: List[Proof] = []
    free: Dict[str, None] = {}
    flags = 0

    def statements(function: FunctionType) -> List[ast.stmt]:
        nonlocal flags
        tree, code = _function_statements(function, proofs)
        flags |= code.co_flags
        free.update(dict.fromkeys(code.co_freevars if _declares_nonlocal(tree, code.co_freevars) else ()))
        return tree.body

    body: List[ast.stmt] = [Comment(missing(target)), class_tree(target, statements)]
    body = _in_its_scope(body, list(free), bool(flags & CO_FUTURE_ANNOTATIONS))
    return Answer(ast.Module(body, []), tuple(proofs))


def _answer_for_name(target: object) -> Answer:
    assert isinstance(target, (str, os.PathLike))
    return answer(_named(os.fspath(target)))


def _named(name: str) -> object:
    """What a path, ``"module:name"`` or ``"module"`` stands for."""
    if not name.strip():
        raise UnreadableTarget("an empty name is neither a file nor a module")
    path = Path(name)
    if path.suffix in (".py", ".pyc") or path.exists():
        return code_of_file(path)
    module, colon, qualified_name = name.partition(":")
    if not colon:
        return _code_of_name(module)
    try:
        return attrgetter(qualified_name)(importlib.import_module(module))
    except (ImportError, AttributeError, ValueError) as error:
        raise UnreadableTarget(f"{name}: {error}") from error


def _code_of_name(name: str) -> CodeType:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError) as error:
        raise UnreadableTarget(f"{name}: {error}") from error
    if spec is None:
        raise UnreadableTarget(f"{name}: no such file, and no such module")
    # An alias such as os.path is loaded under the name that it stands for.
    return _loaded(spec.name, spec.loader)


def _code_of_module(module: ModuleType) -> CodeType:
    file = getattr(module, "__file__", None)
    if module.__spec__ is None and file is not None:
        return code_of_file(Path(file))
    return _loaded(module.__name__, module.__spec__ and module.__spec__.loader)


def _loaded(name: str, loader: object) -> CodeType:
    get_code: Optional[Callable[[str], object]] = getattr(loader, "get_code", None)
    try:
        code = get_code(name) if get_code is not None else None
    except (ImportError, SyntaxError, ValueError, EOFError, OSError) as error:
        raise UnreadableTarget(f"{name}: {error}") from error
    if not isinstance(code, CodeType):
        raise UnreadableTarget(f"the module {name} has no Python code: it is built in or an extension")
    return code


_READERS: Tuple[Tuple[Tuple[type, ...], Callable[[object], Answer]], ...] = (
    ((CodeType, GeneratorType, CoroutineType, AsyncGeneratorType, ModuleType), _answer_for_code),
    ((FunctionType,), _answer_for_function),
    ((MethodType, staticmethod, classmethod, partial), _answer_for_wrapped),
    ((type,), _answer_for_class),
    ((str, os.PathLike), _answer_for_name),
)
