"""The IR as plain data: expressions and shapes as they are written in a spec."""

import json
from dataclasses import fields, is_dataclass

from opgen.language.expr import Expr, text_of
from opgen.language.shapes import Shape


def text_of_op(op):
    return json.dumps(plain(op), indent=2, default=str) + "\n"


def plain(value):
    if isinstance(value, Expr):
        return text_of(value)
    if isinstance(value, Shape):
        return str(value)
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [*map(plain, value)] if isinstance(value, tuple | list) else value
