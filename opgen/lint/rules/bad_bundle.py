"""A bundle does not exist, or has keys that only its members can have.

This rule checks that the bundles of inputs and outputs exist, with the members and dims that
the spec names. It also checks the keys next to `bundle`. A bundle that may be absent must have a
member that is present in every call with the bundle. Two spec files may share a bundle name only if
the members are the same. The class of a bundle must not have a name that generated modules use:
`Tensor`, `Any`, `None`.

Why: each use of a bundle becomes one tensor per member, and all uses share one Python class.

Example:

    inputs.w = { bundle = "quantized", dtype = "i8" }

How to fix: move the key to the member: `inputs.w_data = { dtype = "i8" }`.
"""

import keyword
from collections.abc import Iterable, Iterator

from opgen.language.expr import ParseError
from opgen.language.names import camel
from opgen.language.shapes import parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean
from opgen.spec.bundles import KEYS, BundleSpec, MemberSpec

RULE = Rule("OG109", "bad-bundle", Stage.STRUCTURE)

PLAIN = ("count", "index")
# Class names that a bundle cannot have: names that generated modules use, and Python's constants.
TAKEN = frozenset(
    "Any ArrayLike Callable Collection False NamedTuple None Sequence Tensor True".split()
)
# Keys that a bundle's member cannot have: a tensor with such a key must be a separate argument.
APART = ("list", "begin", "length", "seed")


def check(op: OpContext) -> Findings:
    for bundle in op.spec.bundles:
        written = op.home.bundles.get(bundle.kind)
        if written is None:
            message = f"there is no bundle `{bundle.kind}`"
            help_ = did_you_mean(bundle.kind, [*op.home.bundles])
            yield RULE.at(op.at((*bundle.path, "bundle")), message, help_)
            continue
        yield from _use(op, bundle)
        yield from _alike(op, bundle)
    if op.spec.bundles:
        yield from _whole(op)


def _use(op: OpContext, bundle: BundleSpec) -> Findings:
    written = {member.name: member for member in op.home.bundles[bundle.kind]}
    for key in bundle.given:
        if key not in KEYS:
            first = next(iter(written))
            help_ = f"say it of a member: `{bundle.role}.{bundle.name}_{first} = {{ {key} = ... }}`"
            if key in (*APART, "update", "init"):  # a member must not have it either
                help_ = "make it a tensor of its own"
            message = f"`{key}` is said of a tensor, and `{bundle.name}` is a bundle"
            yield RULE.at(op.at((*bundle.path, key), "key"), message, help_)
    for n, name in enumerate(bundle.chosen):
        if name not in written:
            message = f"`{name}` is no member of `{bundle.kind}`"
            where = op.at((*bundle.path, "members", n))
            yield RULE.at(where, message, did_you_mean(name, [*written]))
    for name in written:
        if name in PLAIN or keyword.iskeyword(name):
            what = "a method of tuples" if name in PLAIN else "a Python keyword"
            message = f"the member `{name}` of `{bundle.kind}` has the name of {what}"
            yield RULE.at(op.at(bundle.path, "key"), message, "rename it")
    if camel(bundle.kind) in TAKEN:
        message = f"`{bundle.kind}` would be the class `{camel(bundle.kind)}`, which is taken"
        yield RULE.at(op.at((*bundle.path, "bundle")), message, "rename the bundle")
    held = {name for member in written.values() for name in _dims(member)}
    for name in bundle.dims:
        if name not in held:
            message = f"no member of `{bundle.kind}` has the dim `{name}`"
            where = op.at((*bundle.path, "rename", name), "key")
            yield RULE.at(where, message, did_you_mean(name, sorted(held)))
    if not any(t and not written[m].optional for m, t in bundle.members.items()):
        message = f"every member of `{bundle.name}` may be absent"
        help_ = "let one of them be always there: it says whether the bundle is"
        yield RULE.at(op.at(bundle.path, "key"), message, help_)


def _dims(member: MemberSpec) -> Iterator[str]:
    """Yield the dims and groups in the valid shapes of a member."""
    for shape in member.shapes:
        try:
            yield from parse_shape(shape).names
        except ParseError:
            continue


def _alike(op: OpContext, bundle: BundleSpec) -> Findings:
    """Report different bundles that would have the same class name in generated code."""
    mine = _fields(op.home.bundles[bundle.kind])
    for spec in op.project.specs:
        for kind, members in spec.bundles.items():
            same = kind == bundle.kind and _fields(members) == mine
            if camel(kind) == camel(bundle.kind) and not same:
                message = f"`{kind}` of {spec.file} and `{bundle.kind}` would be one class"
                yield RULE.at(op.at((*bundle.path, "bundle")), message, "rename one of them")


def _fields(members: Iterable[MemberSpec]) -> list[tuple[str, bool]]:
    """Return (name, optional) of each member; bundles with equal members can share a class."""
    return [(member.name, member.optional) for member in members]


def _whole(op: OpContext) -> Findings:
    """Report each bundle member that a call updates, or that has a key in `APART`."""
    tensors = {t: b for b in op.spec.bundles for t in b.members.values() if t}
    for name, tensor in op.spec.tensors.items():
        if name in tensors and tensor.updated:
            message = f"`{name}` is updated, and a member of `{tensors[name].name}`"
            where = op.at((*tensor.path, "update"))
            yield RULE.at(where, message, "make it an input of its own")
        for key in APART:
            if name in tensors and getattr(tensor, key) not in (None, False):
                message = f"`{name}` has `{key}`, and is a member of `{tensors[name].name}`"
                yield RULE.at(op.at((*tensor.path, key)), message, "make it a tensor of its own")
