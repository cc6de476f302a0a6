"""Find the location of a part of an expression in its text.

Nodes have no positions, so that equal expressions compare equal. opgen parses a text a second time
to find positions, but only for a report.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from opgen.language.expr.syntax import offset

Span = tuple[int, int]


def span_at(text: str, path: tuple[int, ...]) -> Span:
    """Return the location of the node that `path` leads to, starting at the whole expression.

    Each item of `path` is an index into `syntax.children` of a node. `text` must be valid.
    """
    node = _tree(text)
    for step in path:
        inner = list(_children(node))
        if step >= len(inner):
            break
        node = inner[step]
    return _span(text, node)


def spans_of_name(text: str, name: str) -> list[Span]:
    """Return the locations where `name` occurs as a name, not as the name of a called function."""
    return [
        _span(text, node)
        for node in _walk(_tree(text))
        if isinstance(node, ast.Name) and node.id == name
    ]


def spans_of_call(text: str, func: str) -> list[Span]:
    """Return the locations of the calls to `func`."""
    calls = (node for node in _walk(_tree(text)) if isinstance(node, ast.Call))
    return [
        _span(text, call.func)
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == func
    ]


def _tree(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def _span(text: str, node: ast.expr) -> Span:
    stripped = text.lstrip()
    lead = len(text) - len(stripped)
    start = offset(stripped, node.lineno, node.col_offset)
    return lead + start, lead + offset(stripped, node.end_lineno, node.end_col_offset)


def _walk(node: ast.expr) -> Iterator[ast.expr]:
    yield node
    for child in _children(node):
        yield from _walk(child)


def _children(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the sub-expressions of a Python node in the order of `syntax.children`."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.BinOp(left=left, right=right):
            yield from (left, right)
        case ast.Compare(left=left, comparators=rights):
            yield left
            for right in rights:
                if isinstance(right, ast.Tuple | ast.List):
                    yield from right.elts
                else:
                    yield right
        case ast.BoolOp(values=values):
            yield from values
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield from (test, body, orelse)
        case ast.Subscript(value=value, slice=index):
            yield from (value, index)
        case ast.Call(args=args):
            yield from args
