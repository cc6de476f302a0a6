"""A module cannot be a class.

What it does: with `torch.module` or `jax.module` the name starts with an upper-case letter and
belongs to one op only. The parameters, which are the inputs with an `init`, are floating tensors of
one shape that no condition removes. `torch.names`, `jax.nnx` and `jax.equinox` may rename attrs,
parameters and their dims. These names differ. None is a name that every module of the library has,
or that its constructor takes. `jax.nnx_init` is for parameters.

Why: the constructor creates the parameters from sizes alone, and keeps sizes and attrs under their
names.

Example:

    inputs.weight = { dtype = "T", shape = ["", "d"], init = "1" }
    torch.module  = "Scale"

How to fix: give the parameter one shape, or remove its `init`, so that the caller passes the tensor
in every call.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from opgen.language.analysis import analysis
from opgen.language.expr import names_in, parse_expr
from opgen.language.shapes import parse_shape
from opgen.lint.op_context import OpContext, Project
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, did_you_mean
from opgen.spec.models.tensors import TensorSpec

RULE = Rule("OG613", "bad-module", Stage.MEANING)

# Names in the modules of each library, and in our constructors and modules.
TORCH = frozenset("""
    T_destination add_module apply bfloat16 buffers call_super_init children compile cpu
    cuda device double dtype dump_patches eval extra_repr float forward get_buffer
    get_extra_state get_parameter get_submodule half ipu load_state_dict modules mtia
    named_buffers named_children named_modules named_parameters parameters
    register_backward_hook register_buffer register_forward_hook
    register_forward_pre_hook register_full_backward_hook
    register_full_backward_pre_hook register_load_state_dict_post_hook
    register_load_state_dict_pre_hook register_module register_parameter
    register_state_dict_post_hook register_state_dict_pre_hook requires_grad_
    reset_parameters self set_extra_state set_submodule share_memory state_dict to
    to_empty train training type xpu zero_grad
    """.split())
NNX = frozenset("""
    dtype dtypes eval iter_children iter_modules jax jnp nnx param_dtype perturb
    promote_dtype rngs self set_attributes sow train
    """.split())
EQUINOX = frozenset("dtype eqx jax jnp self".split())
TAKEN = {"torch": TORCH, "nnx": NNX, "equinox": EQUINOX}
# Imports of the rendered files, besides the op itself.
IMPORTED = {
    "torch": ("Sequence", "Tensor"),
    "jax": (
        *("Any", "ArrayLike", "DTypeLike", "Initializer", "Mapping"),
        *("MappingProxyType", "PromoteDtypeFn", "Sequence"),
    ),
}
# The arguments of constructors that are about one parameter.
OPTIONS = {"torch": (), "nnx": ("use_{}", "{}_init", "{}_metadata"), "equinox": ("use_{}",)}
LIBRARIES = ("nnx", "equinox")


def check(op: OpContext) -> Iterator[Diagnostic]:
    asking = [target for target in IMPORTED if op.spec.options[target]["module"]]
    for target in asking:
        yield from _name(op, target, op.spec.options[target]["module"])
    if asking:
        yield from _parameters(op)
    named = _named(op)
    if "torch" in asking:
        yield from _words(op, "torch", ("torch", "names"), named, asked=True)
    for library in LIBRARIES:
        yield from _words(op, library, ("jax", library), named, asked="jax" in asking)
    for name in op.spec.options["jax"]["nnx_init"] or ():
        parameters = [t.name for t in _held(op)] if "jax" in asking else []
        if name not in parameters:
            message = f"`{name}` is no parameter of a module"
            where = op.at(("jax", "nnx_init", name), "key")
            yield RULE.at(where, message, did_you_mean(name, parameters))


def _name(op: OpContext, target: str, name: str) -> Iterator[Diagnostic]:
    where = op.at((target, "module"))
    if not name[0].isupper() or name in (*IMPORTED[target], "True", "False", "None"):
        yield RULE.at(where, f"`{name}` cannot be a class", 'write it as in "RMSNorm"')
    first = _first(op.project)[target, name]
    if first != op.name:
        message = f"`{name}` is the module of `{first}` too"
        yield RULE.at(where, message, "rename one of them")


@analysis
def _first(project: Project) -> dict[tuple[str, str], str]:
    """The first op of each module."""
    subjects = list(reversed(project.subjects))
    return {(t, s.spec.options[t]["module"]): s.name for t in IMPORTED for s in subjects}


# -- its parameters --------------------------------------------------------------------------


def _parameters(op: OpContext) -> Iterator[Diagnostic]:
    for name, tensor in op.spec.inputs.items():
        problem = "" if tensor.init is None else _problem(op, tensor)
        if problem:
            message = f"`{name}` cannot be a parameter: {problem}"
            yield RULE.at(op.at(("inputs", name), "key"), message, "leave out its `init`")


def _problem(op: OpContext, tensor: TensorSpec) -> str:
    if tensor.list is not None:
        return "it is a list"
    if tensor.when is not None:
        return "it is there by a condition"
    if tensor.updated:
        return "it is updated"
    if tensor.one_shape is None:
        return "it has several shapes"
    if not tensor.dtype.plain:
        return "it has several dtypes"
    return "" if op.floating(tensor.name) else "it is not floating"


# -- its names -------------------------------------------------------------------------------


def _held(op: OpContext) -> list[TensorSpec]:
    return [t for t in op.spec.inputs.values() if t.init is not None and not _problem(op, t)]


def _named(op: OpContext) -> list[str]:
    """The attrs and parameters of a module, and the names that their shapes are made of."""
    names = dict.fromkeys(op.spec.attrs)
    for tensor in _held(op):
        names[tensor.name] = None
        for name in parse_shape(tensor.one_shape or "").names:
            dim = op.spec.dims.get(name)
            sizes = [name] if dim is None else dim.value.values()
            names |= dict.fromkeys(n for size in sizes for n in names_in(parse_expr(size)))
    return list(names)


def _taken(
    op: OpContext, library: str, where: tuple[str, str], words: Iterable[str]
) -> Iterator[Diagnostic]:
    for word in words:
        if word in TAKEN[library]:
            yield RULE.at(op.at(where), f"a module has a `{word}` already", f"rename `{word}`")


def _words(
    op: OpContext, library: str, key: tuple[str, str], named: list[str], *, asked: bool
) -> Iterator[Diagnostic]:
    """Faults of the names in a module of `library`, which the option `key` changes."""
    target, option = key
    given: Mapping[str, Any] | None = op.spec.options[target][option]
    if given is not None and not asked:
        message = "there is no module whose sizes, attrs and parameters to name"
        help = "give it a name: `jax.module`"
        yield RULE.at(op.at(key, "key"), message, help)
    if not asked:
        return
    words = {name: name for name in named}
    for word, of in (given or {}).items():
        where = op.at((*key, word))
        if isinstance(of, tuple):
            message = f"`{word}` is one size, attr or parameter of a module"
            yield RULE.at(where, message, "write one name")
        elif of not in named:
            message = f"`{of}` is no size, attr or parameter of the module"
            yield RULE.at(where, message, did_you_mean(of, named))
        elif words[of] != of:
            message = f"`{of}` is called `{words[of]}` already"
            yield RULE.at(where, message, "leave out one of them")
        else:
            words[of] = word
    place = (target, "module" if given is None else option)
    yield from _taken(op, library, place, words.values())
    others = [name for name, tensor in op.spec.inputs.items() if tensor.init is None]
    for tensor in _held(op):
        others += [pattern.format(words[tensor.name]) for pattern in OPTIONS[library]]
    others += ["key"] * (library == "equinox" and any(t.drawn for t in _held(op)))
    count = Counter([*words.values(), *others])
    for word in words.values():
        if count[word] > 1:
            message = f"`{word}` means two things in a module"
            yield RULE.at(op.at(place), message, f"choose another name, in `{'.'.join(key)}`")
            return
