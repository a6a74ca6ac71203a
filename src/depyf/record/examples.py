"""An example of a graph's inputs, so that its file can be run: ``python __compiled_fn_1.Captured_Graph.0.py``.

    def forward(self, s27: "Sym(s27)", L_x_: "f32[2, s27][s27, 1]cpu"):
        weight: "f32[3][1]cpu" = self.weight
    =>
    def example_inputs():
        s27 = 6
        return [s27, _tensor([2, s27], [s27, 1], torch.float32, 'cpu')]

The values are made up. Where torch does not print what is needed there is no example, and a sentence says so.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Iterator, Mapping, Sequence

# torch/utils/_dtype_abbrs.py
_DTYPES: dict[str, str] = {
    "f32": "float32",
    "f64": "float64",
    "f16": "float16",
    "bf16": "bfloat16",
    "b8": "bool",
    **{f"{kind[0]}{bits}": f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    **{f"c{bits}": f"complex{bits}" for bits in (32, 64, 128)},
    **{f"f8{kind}": f"float8_{kind}" for kind in ("e5m2", "e4m3fn", "e5m2fnuz", "e4m3fnuz", "e8m0fnu")},
}
_TENSOR = re.compile(r"(\w+)(\[.*?\])(\[.*?\])?((?:cpu|cuda|xpu|mps|meta|hpu|mtia)(?::\d+)?)?\Z")
_SYMBOL = re.compile(r"[szu]f?\d+\Z")
_FUNCTIONS = {"Max": "max", "Min": "min"}

_HELPERS = '''

def _tensor(size, stride, dtype, device):
    """A tensor of this form; the values are made up."""
    length = 0 if 0 in size else 1 + sum((n - 1) * step for n, step in zip(size, stride))
    fractions = dtype.is_floating_point or dtype.is_complex
    values = torch.rand(length) if fractions else torch.randint(0, 2, (length,))
    return values.to(dtype).to(device).as_strided(size, stride)
'''
_MAIN = """

if __name__ == "__main__":
    for each in pytree.tree_leaves(graph()(*example_inputs())):
        print(each)
"""


class _NoExample(Exception):
    """Torch does not print what would be needed; the message names it."""


def example(tree: ast.Module, symbols: Mapping[str, str]) -> str:
    """The functions that make a graph's file run, or a comment with the reason why there are none. ``symbols`` are the
    values that sizes had when the graph was made."""
    module = next((node for node in tree.body if isinstance(node, ast.ClassDef)), None)
    try:
        if module is None:
            raise _NoExample("it has no class")
        needed: set[str] = set()
        constants = list(_constants(module, "module", needed))
        inputs = _inputs(module, needed)
    except _NoExample as reason:
        return f"\n\n# No example of its inputs: {reason}.\n"
    sizes = "".join(f"    {name} = {_value(name, symbols)}\n" for name in sorted(needed))
    made = "".join(f"    {line}\n" for line in constants)
    body = f"{sizes if constants else ''}    module = {module.name}()\n{made}    return module\n"
    return (
        f"{_HELPERS}\n\ndef graph():\n{body}"
        f'\n\ndef example_inputs():\n    """For one call."""\n{sizes}    return {inputs}\n{_MAIN}'
    )


def _value(name: str, symbols: Mapping[str, str]) -> str:
    value = symbols.get(name, "2.5" if "f" in name else "8")
    return value if re.match(r"-?[\d.]+(?:e[+-]?\d+)?\Z", value) else "8"


def _forward(module: ast.ClassDef) -> ast.FunctionDef:
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name == "forward":
            return node
    raise _NoExample(f"{module.name} has no forward")


def _inputs(module: ast.ClassDef, needed: set[str]) -> str:
    forward = _forward(module)
    arguments = forward.args.args[1:]
    if [each.arg for each in arguments] == ["primals", "tangents"]:
        groups = _joint_names(forward)
        notes = {each.target.id: each for each in _annotated(forward) if isinstance(each.target, ast.Name)}
        made = [
            [_made(name, getattr(notes.get(name), "annotation", None), needed) for name in group] for group in groups
        ]
        return f"[[{', '.join(made[0])}], [{', '.join(made[1])}]]"
    if forward.args.vararg or forward.args.kwonlyargs:
        raise _NoExample("its arguments have no names")
    return f"[{', '.join(_made(each.arg, each.annotation, needed) for each in arguments)}]"


def _joint_names(forward: ast.FunctionDef) -> tuple[list[str], list[str]]:
    """``primals_1, primals_2, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], ...)``, in two groups."""
    for node in forward.body:
        if isinstance(node, ast.Assign) and "_in_spec" in _attributes_passed(node):
            target = node.targets[0]
            elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
            names = [each.id for each in elements if isinstance(each, ast.Name)]
            return [each for each in names if "tangents" not in each], [each for each in names if "tangents" in each]
    raise _NoExample("its arguments are not taken apart")


def _annotated(forward: ast.FunctionDef) -> Iterator[ast.AnnAssign]:
    return (node for node in forward.body if isinstance(node, ast.AnnAssign))


def _constants(module: ast.ClassDef, name: str, needed: set[str]) -> Iterator[str]:
    """What the module holds: tensors, the graphs inside it, and how its arguments are packed."""
    forward = _forward(module)
    inside = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    for child, graph in inside.items():
        # The class of that name would hide a submodule: Python looks there before it asks the module.
        yield f"vars({name})[{child!r}] = type({name}).{child}()"
        yield from _constants(graph, f"{name}.{child}", needed)
    for statement in forward.body:
        attribute = _own_attribute(statement)
        if attribute is not None and attribute not in inside:
            made = _made(f"self.{attribute}", getattr(statement, "annotation", None), needed)
            yield f"{name}.{attribute} = {made}"
    yield from _specs(forward, name)


def _own_attribute(statement: ast.stmt) -> str | None:
    """``weight`` for ``x = self.weight``."""
    value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == "self":
        return value.attr
    return None


def _attributes_passed(statement: ast.stmt) -> Iterator[str]:
    """``_in_spec`` for ``a, b = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)``."""
    call = getattr(statement, "value", None)
    return (each.attr for each in (call.args if isinstance(call, ast.Call) else ()) if isinstance(each, ast.Attribute))


def _specs(forward: ast.FunctionDef, name: str) -> Iterator[str]:
    """A joint graph takes its arguments apart, and packs its results, as specs that it does not print say."""
    taken = {name for statement in forward.body for name in _attributes_passed(statement)}
    if "_in_spec" in taken:
        if [each.arg for each in forward.args.args[1:]] != ["primals", "tangents"]:
            raise _NoExample("how its arguments are packed is not printed")
        first, second = (len(each) for each in _joint_names(forward))
        yield f"{name}._in_spec = pytree.tree_structure(([0] * {first}, [0] * {second}))"
    if "_out_spec" in taken:
        yield f"{name}._out_spec = pytree.tree_structure([0] * {_results(forward)})"


def _results(forward: ast.FunctionDef) -> int:
    returned = forward.body[-1].value if isinstance(forward.body[-1], ast.Return) else None
    packed = returned.args[0] if isinstance(returned, ast.Call) and returned.args else None
    if not isinstance(packed, (ast.List, ast.Tuple)):
        raise _NoExample("how its results are packed is not printed")
    return len(packed.elts)


def _made(name: str, annotation: ast.expr | None, needed: set[str]) -> str:
    """An expression for a value that torch describes as ``annotation``."""
    text = str(annotation.value) if isinstance(annotation, ast.Constant) else ""
    if text.startswith("Sym("):
        return _size(text[4:-1], needed)
    made, symbols = _tensor(text)
    if made is None:
        raise _NoExample(f"torch does not print the form of {name}" + (f", only {text}" if text else ""))
    needed |= symbols
    return made


@lru_cache(maxsize=1024)
def _tensor(text: str) -> tuple[str | None, frozenset[str]]:
    """An expression for a tensor, None where ``text`` describes none, and the symbols in it."""
    found = _TENSOR.match(text)
    dtype = _DTYPES.get(found.group(1)) if found else None
    if found is None or dtype is None:
        return None, frozenset()
    needed: set[str] = set()
    size = [_size(each, needed) for each in _split(found.group(2))]
    stride = [_size(each, needed) for each in _split(found.group(3))] if found.group(3) else _contiguous(size)
    listed = f"[{', '.join(size)}], [{', '.join(stride)}]"
    return f"_tensor({listed}, torch.{dtype}, {found.group(4) or 'cpu'!r})", frozenset(needed)


@lru_cache(maxsize=1024)
def _split(text: str) -> tuple[str, ...]:
    """``[2, Max(1, s27)]`` -> its two parts."""
    parts, depth = [""], 0
    for character in text[1:-1]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return tuple(each.strip() for each in parts if each.strip())


def _contiguous(size: Sequence[str]) -> list[str]:
    return [" * ".join(f"({each})" for each in size[index + 1 :]) or "1" for index in range(len(size))]


def _size(text: str, needed: set[str]) -> str:
    """A size as torch prints it, over symbols."""
    if text.isdigit():
        return text
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError) as error:
        raise _NoExample(f"the size {text} is no expression") from error
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    odd = {name for name in names if not _SYMBOL.match(name)} - set(_FUNCTIONS)
    if odd:
        raise _NoExample(f"the size {text} needs {', '.join(sorted(odd))}")
    needed |= {name for name in names if _SYMBOL.match(name)}
    return re.sub(r"\b(Max|Min)\b", lambda found: _FUNCTIONS[found.group(1)], text)
