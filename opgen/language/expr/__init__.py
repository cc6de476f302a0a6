"""The expression language: one small subset of Python, parsed once and printed in many languages.

`syntax` parses text to nodes, and `types` determines the type of a node. `evaluate` computes a
node; `text`, `python` and `cpp` print it.
"""

from opgen.language.expr.syntax import (
    Binary,
    Bool,
    Call,
    Compare,
    Const,
    Expr,
    IfElse,
    In,
    Index,
    Name,
    ParseError,
    Unary,
    calls_in,
    children,
    is_offsets,
    map_children,
    names_in,
    parse_expr,
    presence_in,
    substitute,
    walk,
)
from opgen.language.expr.text import text_of

__all__ = [
    "Binary",
    "Bool",
    "Call",
    "Compare",
    "Const",
    "Expr",
    "IfElse",
    "In",
    "Index",
    "Name",
    "ParseError",
    "Unary",
    "calls_in",
    "children",
    "is_offsets",
    "map_children",
    "names_in",
    "parse_expr",
    "presence_in",
    "substitute",
    "text_of",
    "walk",
]
