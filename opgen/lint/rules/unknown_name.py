"""An expression or a shape uses a name that nothing declares.

This rule looks up every name of every expression among the op's tensors, attrs, dims, groups
and dtype variables. The shapes of inputs declare names. All other shapes and expressions must use
declared names.

Why: an undeclared name has no value and no type.

Example:

    inputs.x  = { dtype = "T", shape = "*batch d" }
    outputs.y = { dtype = "T", shape = "*bacth d" }

How to fix: correct the name. If no input's shape can declare a dim, make the dim an `int` attr.
Make a group an `int[]` attr. Write a str in single quotes: `mode == 'sum'`.
"""

from opgen.language.dtype_variables import given_by
from opgen.language.expr import Compare, Const, In, Name, children, names_in, walk
from opgen.language.expr.places import spans_of_name
from opgen.language.scope import RESERVED
from opgen.language.shapes import parse_shape
from opgen.lint.expression_contexts import Site, span
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import did_you_mean, nearest

RULE = Rule("OG201", "unknown-name", Stage.NAMES)


def check(op: OpContext) -> Findings:
    for site in op.sites:
        for name in names_in(site.expr):
            if op.known(site, name) or name in RESERVED:
                continue
            if site.wants == "dtype" and name in given_by(site.expr):
                continue  # OG202 reports unknown dtypes
            for start, end in spans_of_name(site.text, name):
                yield RULE.at(
                    span(op, site, start, end), f"unknown name `{name}`", _help(op, site, name)
                )
    for path, text, _ in op.shapes:
        for group in parse_shape(text).groups:
            if group.name not in op.types:
                where = op.in_shape(path, text, group.name)
                known = [n for n, t in op.types.items() if t == "ints"]
                message = f"unknown group `{group.name}`"
                yield RULE.at(where, message, did_you_mean(group.name, known))


def _help(op: OpContext, site: Site, name: str) -> str:
    for node in walk(site.expr):
        if isinstance(node, Compare | In):
            flat = list(children(node))
            strs = [n for n, attr in op.spec.attrs.items() if attr.type == "str"]
            if Name(name) in flat and any(Name(n) in flat for n in strs):
                return f"a str is written in quotes: `'{name}'`"
            if Name(name) in flat and any(
                isinstance(o, Const) and isinstance(o.value, str) for o in flat
            ):
                near = nearest(name, strs)
                if near:
                    return f"did you mean `{near}`?"
    for bundle in op.spec.bundles:
        if name == bundle.name:
            tensors = " or ".join(f"`{t}`" for t in bundle.members.values() if t)
            return f"it is a bundle: name the tensor of a member, {tensors}"
    known = [*op.types, *(op.cotangents if site.sees in ("formula", "argument") else ())]
    if nearest(name, known) is None and site.sees == "size":
        return (
            f'no input\'s shape holds it; an attr can give it: `attrs.{name} = {{ type = "int" }}`'
        )
    return did_you_mean(name, known)
