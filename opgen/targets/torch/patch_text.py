"""The Python expressions of `torch.patches`: what they name, and what is wrong with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

# What an expression is made of, and what it may name beside parameters.
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
# What `Patch` has under a name that a layer might have too: it hides the layer's.
_HIDDEN = frozenset({"dtypes", "of", "op", "reads", "runs", "takes", "unmet"})
# What expressions may call of `Patch`: no layer of the layer's.
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
    """What is wrong with an expression over `names`; nothing where it is right."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return "is not a Python expression"
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            found = _FOUND.get(type(node), f"a {type(node).__name__}")
            return f"has {found}: only names, attributes, calls and comparisons"
        if isinstance(node, ast.Name) and node.id not in names | KNOWN:
            return f"names `{node.id}`, which is not known here"
        if isinstance(node, ast.Constant) and '"' in ast.unparse(node):
            return "has a quotation mark in a text"
    if hidden := next((name for name in attributes(text) if name in _HIDDEN), ""):
        return f"reads `self.{hidden}`, which a patched layer has for itself"
    return ""


def plain(text: str) -> str:
    """The expression as a formatter leaves it."""
    return _source(_tree(text))


def negated(text: str) -> str:
    """The expression that holds where `text` does not."""
    match _tree(text):
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _source(operand)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _NEGATED:
            return _source(ast.Compare(left, [_NEGATED[type(op)]()], [right]))
        case tree:
            return _source(ast.UnaryOp(ast.Not(), tree))


def attributes(*texts: str) -> Iterator[str]:
    """The attributes of `self` that expressions read."""
    for node in (node for text in texts for node in ast.walk(_tree(text))):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name not in _HELPERS:
                yield name


def called(*texts: str) -> Iterator[str]:
    """The layers of `self` that expressions call."""
    for node in (node for text in texts for node in ast.walk(_tree(text))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield name


def _tree(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _source(tree: ast.expr) -> str:
    return ast.unparse(tree).replace("'", '"')
