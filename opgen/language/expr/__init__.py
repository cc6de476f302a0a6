"""The expression language: one small subset of Python, parsed once, printed many times.

`syntax` parses text to nodes, `types` gives each a type, `evaluate` computes one,
`python` and `cpp` print one as source.
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
    map_children,
    names_in,
    parse_expr,
    presence_in,
    substitute,
    text_of,
    walk,
)

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
    "map_children",
    "names_in",
    "parse_expr",
    "presence_in",
    "substitute",
    "text_of",
    "walk",
]
