"""The Python expressions of `torch.patches`: their names, and their mistakes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

# The parts of an expression, and the names that it may use next to parameters.
_NODES = (
    ast.Attribute,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.IfExp,
    ast.List,
    ast.Name,
    ast.Slice,
    ast.Subscript,
    ast.Tuple,
    ast.UnaryOp,
    ast.keyword,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
    ast.unaryop,
)
_FOUND: dict[type[ast.AST], str] = {
    ast.BinOp: "arithmetic",
    ast.JoinedStr: "an f-string",
    ast.Lambda: "`lambda`",
    ast.NamedExpr: "`:=`",
    ast.Starred: "`*`",
}
# The reserved attributes of a class that expressions may read.
_SPECIAL = frozenset({"__name__", "__module__"})
# Allowed calls: these functions, layers and methods of `self`, and these methods of any tensor.
_FUNCTIONS = frozenset({"isinstance", "str", "type"})
_METHODS = frozenset({"contiguous", "dim", "reshape", "size", "to", "view"})
# The names of `torch` in expressions: dtypes, and classes of layers.
_OF_TORCH = re.compile(r"torch\.(?:u?int\d+|b?float\d+(?:_\w+)?|complex\d+|bool|nn\.[A-Z]\w*)")
# Attributes of `Patch` that hide a layer's attribute of the same name.
_HIDDEN = frozenset({"dtypes", "of", "op", "reads", "runs", "takes", "unmet"})
# Methods of `Patch` that expressions may call. They are not layers.
_HELPERS = frozenset({"autocast"})
KNOWN = frozenset({"self", "torch", "isinstance", "str", "type"})
_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.In: ast.NotIn,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.NotEq: ast.Eq,
    ast.NotIn: ast.In,
}


def problem(text: str, names: frozenset[str]) -> str:
    """Return the mistake in an expression over `names`; "" if it is valid."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "is not a Python expression"
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            found = _FOUND.get(type(node), f"a {type(node).__name__}")
            return f"has {found}: only names, attributes, calls and comparisons"
        if isinstance(node, ast.Name) and node.id not in names | KNOWN:
            return f"names `{node.id}`, which is not known here"
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            if node.attr not in _SPECIAL:
                return f"reads `{node.attr}`, which is private"
        if isinstance(node, ast.Call) and (called := _uncallable(node.func)):
            return f"calls {called}"
        if isinstance(node, ast.Constant) and '"' in ast.unparse(node):
            return "has a quotation mark in a text"
    for name in _dotted(tree):
        if name.partition(".")[0] == "torch" and not _OF_TORCH.fullmatch(_class_of(name)):
            return f"names `{name}`: of `torch` there are dtypes, and classes of `torch.nn`"
    if hidden := next((name for name in attributes(text) if name in _HIDDEN), ""):
        return f"reads `self.{hidden}`, which a patched layer has for itself"
    return ""


def _uncallable(function: ast.expr) -> str:
    """Return why a call may not call a function; "" if it may."""
    match function:
        case ast.Name(id=name) if name in _FUNCTIONS:
            return ""
        case ast.Attribute(value=ast.Name(id="self")):
            return ""
        case ast.Attribute(attr=name) if name in _METHODS:
            return ""
    listed = ", ".join(f"`{name}`" for name in sorted(_FUNCTIONS | _METHODS))
    return f"`{ast.unparse(function)[:60]}`: only layers of `self`, {listed} are called"


def _dotted(node: ast.AST) -> Iterator[str]:
    """Yield each name with the attributes after it."""
    if isinstance(node, ast.Attribute | ast.Name):
        inner: ast.AST = node
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        if isinstance(inner, ast.Name):
            yield ast.unparse(node)
            return
    for child in ast.iter_child_nodes(node):
        yield from _dotted(child)


def _class_of(name: str) -> str:
    """Return a dotted name without the suffix that Python reserves."""
    head, _, last = name.rpartition(".")
    return head if last in _SPECIAL else name


def plain(text: str) -> str:
    """Return the expression in the formatter's layout."""
    return _source(_tree(text))


def negated(text: str) -> str:
    """Return the expression for the opposite of `text`."""
    match _tree(text):
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _source(operand)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _NEGATED:
            return _source(ast.Compare(left, [_NEGATED[type(op)]()], [right]))
        case tree:
            return _source(ast.UnaryOp(ast.Not(), tree))


def names_torch(text: str) -> bool:
    """Return whether the expression names a dtype or a class of `torch`."""
    return any(isinstance(n, ast.Name) and n.id == "torch" for n in ast.walk(_tree(text)))


def attributes(*texts: str) -> Iterator[str]:
    """Yield the attributes of `self` that expressions read."""
    for node in (node for text in texts for node in ast.walk(_tree(text))):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name not in _HELPERS:
                yield name


def called(*texts: str) -> Iterator[str]:
    """Yield the layers of `self` that expressions call."""
    for node in (node for text in texts for node in ast.walk(_tree(text))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name


def _tree(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _source(tree: ast.expr) -> str:
    return ast.unparse(tree).replace("'", '"')
