"""The initializers of `jax.nnx_init`: one of Flax by name, or its call with constants."""

from __future__ import annotations

import ast

# The functions of `nnx.initializers` that are initializers, and those that return one.
PLAIN: tuple[str, ...] = ("ones", "zeros")
MADE: tuple[str, ...] = (
    *("constant", "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal"),
    *("he_uniform", "kaiming_normal", "kaiming_uniform", "lecun_normal", "lecun_uniform"),
    *("normal", "ones_init", "orthogonal", "truncated_normal", "uniform", "variance_scaling"),
    *("xavier_normal", "xavier_uniform", "zeros_init"),
)
_PREFIX = "nnx.initializers."


def initializer(text: str) -> str:
    """Return the rendered initializer. Raises ValueError with the mistake."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError("is no initializer") from None
    if isinstance(tree, ast.Call):
        name, known = ast.unparse(tree.func), MADE
        arguments = [_constant(arg) for arg in tree.args]
        for keyword in tree.keywords:
            if keyword.arg is None:
                raise ValueError("has `**`: it takes constants")
            arguments.append(f"{keyword.arg}={_constant(keyword.value)}")
        tail = f"({', '.join(arguments)})"
    else:
        name, known, tail = ast.unparse(tree), PLAIN, ""
    if not name.startswith(_PREFIX) or name.removeprefix(_PREFIX) not in known:
        calls = "makes" if tail else "is"
        raise ValueError(f"names `{name[:60]}`, which {calls} no initializer of Flax")
    return name + tail


def _constant(node: ast.expr) -> str:
    """Return a number, a word, `True`, `False` or `None`."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return f"-{value!r}"
        case ast.Constant(value=bool() | int() | float() | None as value):
            return repr(value)
        case ast.Constant(value=str() as value) if value.isascii() and value.isidentifier():
            return f'"{value}"'
    raise ValueError("takes constants: numbers, words in quotes, `True`, `False`, `None`")
