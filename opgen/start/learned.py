"""Add shapes, dtypes, samples and other facts from observed calls to a draft spec."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from opgen.language.dtypes import DTYPES
from opgen.start.draft import NUMBER, Attr, Draft, Tensor, Variable, is_free
from opgen.start.shapes import NAMES, Call, Found, Shapes

# The names for dtype variables, the number of calls that become samples, and the largest number of
# elements of a tensor in a sample.
VARIABLES = "TUVWXYZ"
SAMPLES, ELEMENTS = 4, 1 << 16
_DTYPES = {each.torch: name for name, each in DTYPES.items() if name not in ("i4", "u4")}

Arguments = Mapping[str, Any]


def learned(
    draft: Draft,
    calls: Sequence[Arguments],
    fake: Sequence[Arguments],
    returned: Collection[str] = (),
) -> Draft:
    """Return the draft with facts from calls of the op added.

    `calls` are observed calls. `fake` are calls of the op's fake kernel with random sizes. A call
    maps the name of each tensor and attr to a value. A tensor's value is a mapping with its
    `shape`, `dtype` and `strides`. The sizes of the tensors in `returned` may depend on data, so
    without `fake` their shapes remain guesses.
    """
    inputs = [each.name for each in draft.inputs if not each.list]
    outputs = [each.name for each in draft.outputs if not each.list]
    numbers = [each.name for each in draft.attrs if each.type == "int"]
    taken = {*numbers, *(each.name for each in draft.attrs)}
    taken |= {name for name in NAMES if not is_free(name)}

    def call(each: Arguments) -> Call:
        shapes = {n: _shape(each.get(n)) for n in (*inputs, *outputs)}
        return Call(shapes, {n: each[n] for n in numbers if type(each.get(n)) is int})

    shapes = Shapes(inputs, outputs, [*map(call, calls)], [*map(call, fake)], taken)
    # Random sizes show how the results' sizes follow from the inputs', but not which inputs are
    # valid.
    found = (
        shapes.inputs()
        if calls
        else {n: replace(f, sure=False) for n, f in shapes.inputs().items()}
    )
    variables = _variables(draft, calls) if calls else {}
    made = shapes.results()
    if not fake:
        made = {n: replace(f, sure=f.sure and n not in returned) for n, f in made.items()}
    if not calls:  # the names come from known facts
        known = [each for each in (*draft.inputs, *draft.outputs) if each.known or each.shape]
        found, made = ({} if known else each for each in (found, made))
    draft = replace(
        draft,
        inputs=[_with(each, found, variables) for each in draft.inputs],
        outputs=[_with(each, made, variables) for each in draft.outputs],
        dtypes={**draft.dtypes, **_lists(variables, calls)},
    )
    if not calls:
        return _as_fake(draft, fake)
    notes = [*draft.notes, f"Learned from {len(calls)} calls.", *_strided(draft, calls)]
    attrs = [_numeric(each, draft, calls) for each in draft.attrs]
    samples = list(_samples(draft, calls, variables, lambda each: shapes.names(call(each))))
    return _as_fake(replace(draft, attrs=attrs, samples=samples, notes=notes), fake)


def _shape(value: Any) -> tuple[int, ...] | None:
    return tuple(value["shape"]) if isinstance(value, Mapping) else None


def _dtype(value: Any) -> str | None:
    return _DTYPES.get(value["dtype"]) if isinstance(value, Mapping) else None


def _with(tensor: Tensor, found: Mapping[str, Found], variables: Mapping[str, str]) -> Tensor:
    if tensor.name in found:
        shape = found[tensor.name]
        tensor = replace(tensor, shape=shape.text, known=shape.sure)
    return tensor.of_dtype(variables[tensor.name]) if tensor.name in variables else tensor


def _variables(draft: Draft, calls: Sequence[Arguments]) -> dict[str, str]:
    """Return the dtype of each tensor, or a dtype variable that tensors with equal dtypes share."""
    seen: dict[str, list[str | None]] = {}
    for tensor in (*draft.ordered, *draft.outputs):
        dtypes = [_dtype(each.get(tensor.name)) for each in calls]
        if any(dtypes):
            seen[tensor.name] = dtypes
    inputs = [t.name for t in draft.ordered if t.name in seen]
    sets = {name: {d for d in dtypes if d} for name, dtypes in seen.items()}
    varied = any(len(own) > 1 for own in sets.values())
    # If no dtype varies, floating-point tensors share the first one's dtype as a variable, because
    # other calls may have another dtype.
    free = [n for n in inputs if len(sets[n]) > 1]
    if not varied:
        first = next((n for n in inputs if DTYPES[min(sets[n])].kind == "float"), None)
        free = [n for n in inputs if first and sets[n] == sets[first]]
    names: dict[str, str] = {}
    leaders: list[str] = []
    for name in [*free, *(n for n in seen if n not in inputs)]:
        leader = next((each for each in leaders if _agree(seen[each], seen[name])), None)
        if leader is None and name in inputs and len(leaders) < len(VARIABLES):
            leaders.append(leader := name)
        if leader is not None and (name in inputs or len(sets[name]) > 1 or not varied):
            names[name] = VARIABLES[leaders.index(leader)]
    return {
        name: names.get(name, min(own))
        for name, own in sets.items()
        if name in names or len(own) == 1
    }


def _agree(one: Sequence[str | None], other: Sequence[str | None]) -> bool:
    both = [(a, b) for a, b in zip(one, other) if a and b]
    return bool(both) and all(a == b for a, b in both)


def _lists(variables: Mapping[str, str], calls: Sequence[Arguments]) -> dict[str, Variable]:
    """Return the observed dtypes of each dtype variable.

    If only one dtype was observed for a variable, its list of dtypes is marked as a guess.
    """
    found: dict[str, list[str]] = {}
    for name, variable in variables.items():
        if variable not in DTYPES:
            dtypes = [_dtype(each.get(name)) for each in calls]
            known = found.setdefault(variable, [])
            known += [d for d in dict.fromkeys(dtypes) if d and d not in known]
    return {
        name: Variable(dtypes, "" if len(dtypes) > 1 else "those of the calls")
        for name, dtypes in found.items()
    }


def _as_fake(draft: Draft, fake: Sequence[Arguments]) -> Draft:
    """Return the draft with the dtypes of the fake kernel's results, if these are consistent."""
    first = next((t for t in draft.inputs if not t.list), None)

    def output(each: Tensor) -> Tensor:
        pairs = {
            (_dtype(call.get(first.name)), _dtype(call.get(each.name))) for call in fake if first
        }
        results = {result for _, result in pairs}
        if len(pairs) < 2 or None in results or "its dtype" not in each.guess:
            return each
        if all(given == made for given, made in pairs):
            return replace(each, guess="")
        return replace(each, dtype=results.pop() or "", guess="") if len(results) == 1 else each

    return replace(draft, outputs=[*map(output, draft.outputs)])


def _numeric(attr: Attr, draft: Draft, calls: Sequence[Arguments]) -> Attr:
    """Remove the guess about the attr's type if all tensors have floating-point dtypes.

    The guess is `NUMBER`, for an argument that accepts ints and floats.
    """
    dtypes = {_dtype(each.get(t.name)) for each in calls for t in draft.inputs} - {None}
    floating = all(DTYPES[d].floating for d in dtypes if d)
    return replace(attr, guess="") if attr.guess == NUMBER and floating else attr


def _strided(draft: Draft, calls: Sequence[Arguments]) -> Iterator[str]:
    for each in draft.inputs:
        given = [c[each.name] for c in calls if isinstance(c.get(each.name), Mapping)]
        strides = next((v["strides"] for v in given if v.get("strides")), None)
        if strides:
            yield f"`{each.name}` comes with gaps or transposed, for example with strides {strides}."


def _samples(
    draft: Draft, calls: Sequence[Arguments], variables: Mapping[str, str], names: Any
) -> Iterator[str]:
    """Yield a few observed calls with small tensors as samples for the spec, in TOML."""
    made: dict[str, None] = {}
    bound: dict[str, str] = {}
    for name, variable in variables.items():
        if variable not in DTYPES:
            bound.setdefault(variable, name)
    for each in calls:
        shapes = [_shape(value) or () for value in each.values()]
        if any(_count(shape) > ELEMENTS for shape in shapes):
            continue
        values: dict[str, Any] = dict(names(each))
        for variable, name in bound.items():
            if dtype := _dtype(each.get(name)):
                values[variable] = dtype
        values |= {t.name: False for t in draft.inputs if t.optional and each.get(t.name) is None}
        for attr in draft.attrs:
            value = each.get(attr.name)
            if value is not None and value != attr.default and attr.name not in values:
                values[attr.name] = _DTYPES.get(value) if attr.type == "dtype" else value
        items = ", ".join(f"{name} = {json.dumps(value)}" for name, value in values.items())
        made[f"{{ {items} }}"] = None
    yield from list(made)[:SAMPLES]


def _count(shape: Sequence[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count
