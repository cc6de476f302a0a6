"""A value in a sample has the wrong kind for its key.

This rule checks each value of a sample. The value of a dim must be an int of at least 0. The
value of a group must be a list of such ints. For a dim with an index, such as `s[i]`, the value
must be a list with an item for each tensor. The value of an attr must have the attr's type, and be
one of its `choices`. The value of a dtype variable must be one of the variable's dtypes. The
presence of a tensor must be `true` or `false`.

Why: tests and benchmarks call the op with these values.

Example:

    samples = [{ batch = 8 }]

where `batch` is a group, so the value must be a list: `[8]`.

How to fix: follow the message.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.rules.unknown_sample import known_keys
from opgen.source.diagnostics import did_you_mean
from opgen.spec.models.attrs import AttrSpec

RULE = Rule("OG609", "bad-sample", Stage.MEANING)


def check(op: OpContext) -> Findings:
    known = known_keys(op)
    for n, sample in enumerate(op.spec.samples):
        for name, value in sample.items():
            found = _problem(op, name, value) if name in known else None
            if found is not None:
                yield RULE.at(op.at(("samples", n, name)), *found)


def _problem(op: OpContext, name: str, value: object) -> tuple[str, str] | None:
    if name == "rtol":
        good = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        return None if good else (f"`{name}` is a number of 0 or more", "")
    if name in op.spec.attrs:
        return _of_attr(op.spec.attrs[name], value)
    if name in op.free_dtypes:
        if value in op.free_dtypes[name]:
            return None
        return f"`{name}` is never `{value}`", did_you_mean(str(value), op.free_dtypes[name])
    if name in op.spec.tensors:
        good = isinstance(value, bool)
        return None if good else (f"`{name}` is there or not", "write true or false")
    items = value if isinstance(value, list) else None
    if op.scope.bound[name] == "group":
        good = items is not None and all(map(_size, items))
        return None if good else (f"`{name}` is a group: a list of sizes", "write `[3, 5]`")
    good = _size(value) or items is not None and all(map(_size, items))
    return None if good else (f"`{name}` is a dim: an int of 0 or more", "")


def _size(value: object) -> bool:
    """Return whether `value` is a size, or a list of sizes that may be nested."""
    if isinstance(value, list):
        return all(map(_size, value))
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _of_attr(attr: AttrSpec, value: object) -> tuple[str, str] | None:
    items = attr.items(value)
    if items is None:
        return f"`{attr.name}` is of type {attr.type}", ""
    if attr.length not in (None, len(items)):
        return f"`{attr.name}` has {attr.length} elements", ""
    for item in items:
        if attr.choices is not None and item not in attr.choices:
            return f"`{item}` is no choice of `{attr.name}`", did_you_mean(
                str(item), map(str, attr.choices)
            )
    return None
