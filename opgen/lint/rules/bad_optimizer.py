"""An op of which no optimizer can be made as its spec asks.

What it does: with `torch.optimizer` or `jax.optimizer` an op has no outputs, and each input
one of four parts. The parameters are the updated list without an `init`; their gradients
the list that is only read, of the same shape. State is updated and has an `init`: a list of
that shape, or a scalar of one dtype. An option is a scalar that is only read and has an
`init`. Attrs are options as well; none has a default that follows from sizes. An `init`, and
the condition under which a state is there, name attrs only. `names` renames state and
options, each once. The optimizer's name is that of nothing else: in PyTorch a class, in JAX
a function.

Why: the optimizer makes the state and keeps the options; it gives the op its lists.

Example:

    inputs.params   = { dtype = "T", shape = "*s[i]", list = "n", update = true }
    inputs.grads    = { dtype = "T", shape = "*s[i]", list = "n" }
    inputs.momenta  = { dtype = "T", shape = "*s[i]", list = "n", update = true }
    inputs.lr       = { dtype = "f32", shape = "", init = "1e-3" }
    torch.optimizer = "SGD"

How to fix: say with `init` what the state (here `momenta`) starts with.
"""

import keyword
from collections.abc import Iterable, Iterator

from opgen.language.dtypes import DTYPES
from opgen.language.expr import names_in, parse_expr
from opgen.language.scope import Table, has_late_default
from opgen.lint.op_context import OpContext
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean

RULE = Rule("OG616", "bad-optimizer", Stage.MEANING)
# What the rendered code names beside the words of the spec.
TAKEN = ("call", "count", "grads", "group", "init", "p", "param_names", "params", "self", "state")  # fmt: skip
IMPORTED = ("Any", "Callable", "NamedTuple", "ParamsT", "Sequence", "Tensor")


def check(op: OpContext) -> Iterator[Diagnostic]:
    for target in ("torch", "jax"):
        options = op.scope.section(target)
        if "optimizer" in options:
            yield from _name(op, target, options["optimizer"])
            yield from _names(op, target, options.get("names", {}))
        elif "names" in options:
            message = "there is no optimizer whose state and options to name"
            help = f"give it a name: `{target}.optimizer`"
            yield RULE.at(op.at((target, "names"), "key"), message, help)
    asking = [t for t in ("torch", "jax") if "optimizer" in op.scope.section(t)]
    if asking:
        yield from _parts(op, op.at((asking[0], "optimizer")))


def _name(op: OpContext, target: str, name: str) -> Iterator[Diagnostic]:
    where = op.at((target, "optimizer"))
    kind, example = ("class", "SGD") if target == "torch" else ("function", "sgd")
    if (kind == "class") != name[0].isupper() or name in IMPORTED or keyword.iskeyword(name):  # fmt: skip
        message = f"`{name}` cannot be a {kind} of its own"
        yield RULE.at(where, message, f'write it as in "{example}"')
    if "module" in op.scope.section("torch"):
        message = "`init` says what parameters of a module start with, or state"
        yield RULE.at(where, message, "leave out `torch.module`")
    subjects = op.project.subjects
    for place, other in enumerate(subjects):
        options = other.scope.section(target)
        others = [other.name, options.get("module") if other is not op else None]
        others += [options.get("optimizer")] if place < subjects.index(op) else []
        if name in others:
            message = f"`{name}` is offered by `{other.name}` already"
            yield RULE.at(where, message, "rename one of them")


# -- the parts of the inputs ---------------------------------------------------------------


def _parts(op: OpContext, where: Where) -> Iterator[Diagnostic]:
    inputs = op.scope.section("inputs")
    held = {n: e for n, e in inputs.items() if not e.get("optional")}
    for part, update, what in (("parameters", True, "updated"), ("gradients", False, "only read")):  # fmt: skip
        found = [n for n, e in held.items() if "init" not in e and e.get("update", False) is update]  # fmt: skip
        if len(found) != 1:
            many = ", ".join(f"`{name}`" for name in found) or "none"
            message = f"one input without an `init` is {what}, the {part}: found {many}"
            yield RULE.at(where, message, "give state and options an `init`")
    for table in ("outputs", "residuals"):
        for name in op.scope.section(table):
            message = (
                f"`{name}` is made by the op, and the optimizer has no place for it"
            )
            yield RULE.at(op.at((table, name), "key"), message, "update an input instead")  # fmt: skip
    lists = [e for e in held.values() if e.get("update") is True and "init" not in e]
    for name, entry in held.items():
        problem = _problem(op, name, entry, lists[0] if lists else entry)
        if problem:
            message = f"`{name}` cannot be {_part(entry)}: {problem[0]}"
            yield RULE.at(op.at(("inputs", name), "key"), message, problem[1])
    for name, attr in op.scope.attrs.items():
        if has_late_default(attr):
            message = f"the default of `{name}` follows from sizes, which an optimizer has not"  # fmt: skip
            yield RULE.at(op.at(("attrs", name), "key"), message, "give it a number")
    for name in op.scope.functions:
        message = f"`{name}` is computed in each call, by a function"
        yield RULE.at(op.at(("dims", name), "key"), message, "leave it out")


def _part(entry: Table) -> str:
    if "init" in entry:
        return "state" if entry.get("update") else "an option"
    return "the parameters" if entry.get("update") else "their gradients"


def _problem(op: OpContext, name: str, entry: Table, params: Table) -> tuple[str, str] | None:  # fmt: skip
    """What keeps an input from its part, and what to do."""
    if not isinstance(entry.get("update", False), bool):
        return "it is updated in some calls", "update it in all"
    if not isinstance(entry["dtype"], str) or not isinstance(entry["shape"], str):
        return "its dtype or shape goes by cases", "give it one of each"
    alike = all(entry.get(key) == params.get(key) for key in ("shape", "list"))
    scalar = not entry["shape"].split() and "list" not in entry
    if "init" not in entry:
        if "list" not in entry:
            return "it is no list", 'make it one: `list = "n"`'
        if not op.floating(name):
            return "it is not floating", "choose a floating dtype"
        if not alike:
            return "it has another shape than the parameters", f'give it the shape "{params["shape"]}"'  # fmt: skip
        if "when" in entry:
            return "it is there by a condition", "leave out its `when`"
        return None
    if not entry.get("update"):
        if not scalar:
            return "it is no scalar", 'give it the shape ""'
        if "when" in entry:
            return "it is there by a condition", "make it `optional`, and leave out its `init`"  # fmt: skip
        return _names_others(entry, ())
    if not (alike or scalar):
        return "it is no scalar, and not of the parameters' shape", "give it one of the two shapes"  # fmt: skip
    if scalar and entry["dtype"] not in DTYPES:
        return "a scalar is shared by parameters of all dtypes", "give it one dtype, `f32` say"  # fmt: skip
    return _names_others(entry, op.scope.attrs)


def _names_others(entry: Table, attrs: Iterable[str]) -> tuple[str, str] | None:
    """What is wrong with what its `init` and `when` name."""
    for key in ("init", "when"):
        for used in names_in(parse_expr(str(entry.get(key, 0)))):
            if used not in attrs and used not in DTYPES:
                allowed = "attrs only" if attrs else "nothing"
                return f"its `{key}` names `{used}`", f"name {allowed} there"
    return None


# -- what the framework calls them -----------------------------------------------------------


def _names(op: OpContext, target: str, names: Table) -> Iterator[Diagnostic]:
    inputs = {n for n, e in op.scope.section("inputs").items() if "init" in e}
    known = {*inputs, *op.scope.attrs}
    used: list[str] = []
    for word, of in names.items():
        where = op.at((target, "names", word), "key")
        for name in of if isinstance(of, list) else [of]:
            if name not in known:
                message = f"`{name}` is neither state nor an option"
                yield RULE.at(where, message, did_you_mean(name, known))
            elif name in used:
                yield RULE.at(where, f"`{name}` has two names", "leave out one of them")
            elif isinstance(of, list) and name in inputs:
                message = f"`{name}` is an input, and a tuple holds attrs"
                yield RULE.at(where, message, "give it a name of its own")
            used.append(name)
    words = [*names, *(name for of in names.values() if isinstance(of, list) for name in of)]  # fmt: skip
    words += [name for name in (*inputs, *op.scope.attrs) if name not in used]
    for word in words:
        if word in TAKEN or keyword.iskeyword(word) or words.count(word) > 1:
            message = f"`{word}` means something else in an optimizer, or two things"
            where = op.at((target, "names" if word in names else "optimizer"))
            yield RULE.at(where, message, "choose another name, in `names`")
            return
