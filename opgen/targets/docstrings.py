"""Print docstrings of public functions in the style of PyTorch and JAX (Google's style)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from opgen.ir.nodes import Attr, Bundle, Tensor
from opgen.ir.op import Op
from opgen.language.analysis import analysis
from opgen.language.dtypes import DTYPES
from opgen.language.expr import Expr, Name, names_in, substitute, text_of
from opgen.language.expr.evaluate import evaluate
from opgen.language.expr.python import quoted
from opgen.language.names import camel
from opgen.language.shapes import Shape
from opgen.targets.public_api import attr_type
from opgen.targets.python_format import TEXT_WIDTH
from opgen.targets.wrapping import wrapped


class Dtype(NamedTuple):
    """The annotation of a framework's dtypes, and a function that spells a dtype for callers."""

    kind: str = "str"
    spelled: Callable[[str], str] = repr


def documentation(
    op: Op,
    given: str,
    made: str,
    dtype: Dtype,
    more: Iterable[tuple[str, str]] = (),
    checked: str = "size or value",
    seeds: str = "",
    bundled: bool = True,
) -> str:
    """Return the docstring of an op's function.

    `given` is the type of an array argument, `made` is the type of a result, and `dtype` tells how
    callers write dtypes. `more` has (name, text) of each additional argument. `checked` lists the
    properties for which the function raises a ValueError. `seeds` is added to the text of each
    seed. Without `bundled`, the function takes and returns the tensors of bundles one by one.
    """
    inputs: Sequence[Tensor | Bundle] = op.bundled(op.inputs) if bundled else op.inputs
    found: Sequence[Tensor | Bundle] = op.bundled(op.results) if bundled else op.results
    arguments = [
        entry(
            _typed(t, given),
            _about(op, t) + (f" {seeds}" if isinstance(t, Tensor) and t.seed else ""),
        )
        for t in inputs
    ]
    arguments += [entry(_typed_attr(a, dtype), about(a, dtype)) for a in op.options_given]
    arguments += [entry(name, text) for name, text in more]
    if len(found) == 1:
        (only,) = found
        results = [entry(_type(only, made), _about(op, only))]
    else:
        items = (entry(f"- {_typed(t, made)}", _about(op, t), 6) for t in found)
        results = ["    A tuple of", "", *items]
    parts = [
        [op.doc],
        ["Args:", *arguments],
        ["Returns:", *results],
        [
            "Raises:",
            "    TypeError: a dtype, rank or kind of an argument is wrong.",
            f"    ValueError: a {checked} is wrong.",
        ],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def wanted(results: Sequence[Tensor]) -> tuple[str, str]:
    """Return the name, type and text of the argument that selects results computed on request."""
    names = ", ".join(quoted(t.name) for t in results)
    return (
        "wanted (Collection[str])",
        f"results to compute, of {names}. The others are None. Default: all.",
    )


def about(attr: Attr, dtype: Dtype) -> str:
    """Return the text about an attr: its doc, bounds, choices and default."""
    return _sentences(attr.doc, _bounds(attr, dtype), _default(attr, dtype))


def _bounds(attr: Attr, dtype: Dtype = Dtype()) -> str:
    parts = []
    if attr.choices:
        parts.append("one of " + ", ".join(_literal(attr, c, dtype) for c in attr.choices))
    if attr.min is not None:
        parts.append(f"at least {attr.min:g}")
    if attr.max is not None:
        parts.append(f"at most {attr.max:g}")
    return ", ".join(parts)


def entry(name: str, text: str, indent: int = 8) -> str:
    """Return the wrapped docstring entry of an argument or result. Lines after the first are
    indented by `indent` spaces.
    """
    head = f"{name}: " if text else name
    return "\n".join(wrapped(head + text, TEXT_WIDTH, "    ", " " * indent))


def _about(op: Op, each: Tensor | Bundle) -> str:
    """Return the text about a tensor, or about each member of a bundle."""
    if isinstance(each, Tensor):
        return _arrays(op)[each.name]
    said = ((member, _arrays(op)[t]) for member, t in each.members if t is not None)
    return " ".join(f"`{member}`: {text[0].lower()}{text[1:]}" for member, text in said)


def _typed(tensor: Tensor | Bundle, kind: str) -> str:
    return f"{tensor.name} ({_type(tensor, kind)})"


def _type(tensor: Tensor | Bundle, kind: str) -> str:
    if isinstance(tensor, Bundle):
        return camel(tensor.kind) if tensor.always else f"{camel(tensor.kind)}, optional"
    kind = f"list of {kind}" if tensor.list else kind
    return kind if tensor.given else f"{kind}, optional"


def _typed_attr(attr: Attr, dtype: Dtype) -> str:
    kind, nullable = attr_type(attr, dtype.kind)
    return f"{attr.name} ({kind}{', optional' if nullable else ''})"


def _default(attr: Attr, dtype: Dtype) -> str:
    if attr.computed or (attr.required and not isinstance(attr.default, Expr)):
        return ""
    if isinstance(attr.default, Expr):
        return f"Default: `{text_of(attr.default)}`"
    return f"Default: {_literal(attr, attr.default, dtype)}"


def _literal(attr: Attr, value: object, dtype: Dtype) -> str:
    """Return an attr value as callers write it."""
    return dtype.spelled(value) if attr.type == "dtype" and isinstance(value, str) else repr(value)


@analysis
def _arrays(op: Op) -> dict[str, str]:
    """Map each tensor of a call to a text about its meaning, shape and dtype."""
    return {t.name: _array(op, t) for t in (*op.inputs, *op.results)}


def _array(op: Op, tensor: Tensor) -> str:
    shapes = dict.fromkeys(map(_shape, tensor.shapes))
    dtypes = dict.fromkeys(_dtype(op, tensor, name) for name in tensor.dtype.values())
    what = f"{_either(shapes)}, {_either(dtypes)}"
    return _sentences(tensor.doc, what)


def _shape(shape: Shape) -> str:
    if not shape.terms:
        return "scalar"
    comma = "," if len(shape.terms) == 1 and not shape.groups else ""
    return f"shape `({', '.join(map(str, shape.terms))}{comma})`"


def _dtype(op: Op, tensor: Tensor, name: str) -> str:
    """Return the text about a tensor's dtype. If possible, the text refers to an earlier argument
    with the same dtype.
    """
    carriers = [t.name for t in op.inputs if t.always and t.dtype.plain and t.dtype.only == name]
    if carriers and carriers[0] != tensor.name:
        return f"the dtype of `{carriers[0]}`"
    var = op.dtype_var(name)
    if var is None:
        return DTYPES[name].numpy if name in DTYPES else f"the dtype `{name}`"
    if var.free:
        return _either(DTYPES[choice].numpy for choice in var.choices)
    found = [_derived(op, value) for value in var.value.values()]
    return _either(dict.fromkeys(found))


def _derived(op: Op, value: Expr) -> str:
    """Return the text about a derived dtype, such as `float32 (float64 if `x` is float64)`."""
    if isinstance(value, Name) and value.id in DTYPES:
        return DTYPES[value.id].numpy
    free = [v for n in sorted(names_in(value)) if (v := op.dtype_var(n)) and v.free]
    carriers = {
        v.name: next((t.name for t in op.inputs if t.dtype.plain and t.dtype.only == v.name), "")
        for v in free
    }
    if len(free) == 1 and carriers[free[0].name]:
        made = {c: evaluate(value, {free[0].name: c}) for c in free[0].choices}
        ((usual, _),) = Counter(made.values()).most_common(1)
        rest = [(c, m) for c, m in made.items() if m != usual]
        text = DTYPES[str(usual)].numpy
        if not rest:
            return text
        if len(rest) == 1:
            ((choice, other),) = rest
            of, result = DTYPES[choice].numpy, DTYPES[str(other)].numpy
            return f"{text} ({result} if `{carriers[free[0].name]}` is {of})"
    words = {name: Name(f"{of}.dtype") for name, of in carriers.items() if of}
    return f"`{text_of(substitute(value, words))}`"


def _sentences(*texts: str) -> str:
    """Join the nonempty texts as sentences, each with a capital letter and a full stop."""
    first, *others = [f"{text.removesuffix('.')}." for text in texts if text] or [""]
    return " ".join((first, *(text[0].upper() + text[1:] for text in others)))


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
