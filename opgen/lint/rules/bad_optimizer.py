"""The op cannot become the optimizer that its spec asks for.

What it does: with `torch.optimizer` an op has no outputs, and each input has one of four roles. The
parameters are the updated list without an `init`. Their gradients are the list that is only read,
of the same shape. State is updated and has an `init`: a list of that shape, or a scalar of one
dtype. An option is a scalar that is only read and has an `init`. Attrs are options as well, and
none has a default that depends on sizes. An `init`, and the condition under which a state is
present, name attrs only. `names` renames state and options, each once. The names of the optimizer
and of the function of `jax.optimizer` are unique.

Why: the optimizer creates the state, keeps the options, and passes lists to the op.

Example:

    inputs.params   = { dtype = "T", shape = "*s[i]", list = "n", update = true }
    inputs.grads    = { dtype = "T", shape = "*s[i]", list = "n" }
    inputs.momenta  = { dtype = "T", shape = "*s[i]", list = "n", update = true }
    inputs.lr       = { dtype = "f32", shape = "", init = "1e-3" }
    torch.optimizer = "SGD"

How to fix: give the state (here `momenta`) an `init` with its first value.
"""

import keyword
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in, parse_expr
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG616", "bad-optimizer", Stage.MEANING)
# Names in the rendered code, besides the words of the spec.
TAKEN = ("call", "count", "grads", "group", "init", "p", "param_names", "params", "self", "state")
IMPORTED = ("Any", "Callable", "NamedTuple", "ParamsT", "Sequence", "Tensor")


def check(op: OpContext) -> Iterator[Diagnostic]:
    options = op.spec.options["torch"]
    if options["optimizer"]:
        yield from _class(op, options["optimizer"])
        yield from _names(op, options["names"] or {})
        yield from _parts(op, op.at(("torch", "optimizer")))
    elif options["names"] is not None and not options["module"]:
        message = "there is no optimizer whose state and options to name"
        help = "give it a name: `torch.optimizer`"
        yield RULE.at(op.at(("torch", "names"), "key"), message, help)
    if op.spec.options["jax"]["optimizer"]:
        yield from _offered(op, "jax", op.spec.options["jax"]["optimizer"].partition(":")[2])


def _class(op: OpContext, name: str) -> Iterator[Diagnostic]:
    where = op.at(("torch", "optimizer"))
    if not name[0].isupper() or name in IMPORTED or keyword.iskeyword(name):
        message = f"`{name}` cannot be a class of its own"
        yield RULE.at(where, message, 'write it as in "SGD"')
    if op.spec.options["torch"]["module"]:
        message = "`init` says what parameters of a module start with, or state"
        yield RULE.at(where, message, "leave out `torch.module`")
    yield from _offered(op, "torch", name)


def _offered(op: OpContext, target: str, name: str) -> Iterator[Diagnostic]:
    """A finding for each op of the project that offers the name, too."""
    subjects = op.project.subjects
    for place, other in enumerate(subjects):
        options = other.spec.options[target]
        others = [other.name, options["module"] if other is not op else None]
        if options["optimizer"] and place < subjects.index(op):
            others.append(options["optimizer"].rpartition(":")[2])
        if name in others:
            message = f"`{name}` is offered by `{other.name}` already"
            yield RULE.at(op.at((target, "optimizer")), message, "rename one of them")


# -- the parts of the inputs ---------------------------------------------------------------


def _parts(op: OpContext, where: Where) -> Iterator[Diagnostic]:
    held = [t for t in op.spec.inputs.values() if not t.optional]
    for part, update, what in (("parameters", True, "updated"), ("gradients", False, "only read")):
        found = [t.name for t in held if t.init is None and t.updates.alone is update]
        if len(found) != 1:
            many = ", ".join(f"`{name}`" for name in found) or "none"
            message = f"one input without an `init` is {what}, the {part}: found {many}"
            yield RULE.at(where, message, "give state and options an `init`")
    for tensor in (*op.spec.outputs.values(), *op.spec.residuals.values()):
        message = f"`{tensor.name}` is made by the op, and the optimizer has no place for it"
        yield RULE.at(op.at(tensor.path, "key"), message, "update an input instead")
    lists = [t for t in held if t.always_updated and t.init is None]
    for tensor in held:
        problem = _problem(op, tensor, lists[0] if lists else tensor)
        if problem:
            message = f"`{tensor.name}` cannot be {_part(tensor)}: {problem[0]}"
            yield RULE.at(op.at(tensor.path, "key"), message, problem[1])
    for name, attr in op.spec.attrs.items():
        if attr.late_default is not None:
            message = f"the default of `{name}` follows from sizes, which an optimizer has not"
            yield RULE.at(op.at(("attrs", name), "key"), message, "give it a number")
    for name in op.scope.functions:
        message = f"`{name}` is computed in each call, by a function"
        yield RULE.at(op.at(("dims", name), "key"), message, "leave it out")


def _part(tensor: TensorSpec) -> str:
    if tensor.init is not None:
        return "state" if tensor.updated else "an option"
    return "the parameters" if tensor.updated else "their gradients"


def _problem(op: OpContext, tensor: TensorSpec, params: TensorSpec) -> tuple[str, str] | None:
    """The reason why an input cannot have its role, and what to do."""
    if tensor.updates.by_table:
        return "it is updated in some calls", "update it in all"
    if not tensor.dtype.plain or tensor.one_shape is None:
        return "its dtype or shape goes by cases", "give it one of each"
    alike = (tensor.forms, tensor.list) == (params.forms, params.list)
    scalar = not tensor.one_shape.split() and tensor.list is None
    if tensor.init is None:
        if tensor.list is None:
            return "it is no list", 'make it one: `list = "n"`'
        if not op.floating(tensor.name):
            return "it is not floating", "choose a floating dtype"
        if not alike:
            return (
                "it has another shape than the parameters",
                f'give it the shape "{params.texts[0].text}"',
            )
        if tensor.when is not None:
            return "it is there by a condition", "leave out its `when`"
        return None
    if not tensor.updated:
        if not scalar:
            return "it is no scalar", 'give it the shape ""'
        if tensor.when is not None:
            return "it is there by a condition", "make it `optional`, and leave out its `init`"
        return _names_others(tensor, ())
    if not (alike or scalar):
        return "it is no scalar, and not of the parameters' shape", "give it one of the two shapes"
    if scalar and tensor.dtype.only not in DTYPES:
        return "a scalar is shared by parameters of all dtypes", "give it one dtype, `f32` say"
    return _names_others(tensor, op.spec.attrs)


def _names_others(tensor: TensorSpec, attrs: Iterable[str]) -> tuple[str, str] | None:
    """Check the names in its `init` and `when`: the fault and its fix, or None."""
    for key, text in (("init", tensor.init), ("when", tensor.when)):
        for used in names_in(parse_expr(text)) if text is not None else ():
            if used not in attrs and used not in DTYPES:
                allowed = "attrs only" if attrs else "nothing"
                return f"its `{key}` names `{used}`", f"name {allowed} there"
    return None


# -- what the framework calls them -----------------------------------------------------------


def _names(op: OpContext, names: Mapping[str, Any]) -> Iterator[Diagnostic]:
    inputs = {n for n, tensor in op.spec.inputs.items() if tensor.init is not None}
    known = {*inputs, *op.spec.attrs}
    used: list[str] = []
    for word, of in names.items():
        where = op.at(("torch", "names", word), "key")
        for name in of if isinstance(of, tuple) else [of]:
            if name not in known:
                message = f"`{name}` is neither state nor an option"
                yield RULE.at(where, message, did_you_mean(name, known))
            elif name in used:
                yield RULE.at(where, f"`{name}` has two names", "leave out one of them")
            elif isinstance(of, tuple) and name in inputs:
                message = f"`{name}` is an input, and a tuple holds attrs"
                yield RULE.at(where, message, "give it a name of its own")
            used.append(name)
    words = [*names, *(name for of in names.values() if isinstance(of, tuple) for name in of)]
    words += [name for name in (*inputs, *op.spec.attrs) if name not in used]
    for word in words:
        if word in TAKEN or keyword.iskeyword(word) or words.count(word) > 1:
            message = f"`{word}` means something else in an optimizer, or two things"
            where = op.at(("torch", "names" if word in names else "optimizer"))
            yield RULE.at(where, message, "choose another name, in `names`")
            return
