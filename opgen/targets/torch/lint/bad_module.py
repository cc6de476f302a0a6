"""A `torch.module` that cannot be a class of its own.

What it does: the name of a module begins with an upper-case letter and is that of one op
only. Its parameters, the inputs with an `init`, are floating tensors of one shape that no
condition takes away. The names of attrs and of the parameters' dims are none that every
`nn.Module` has already.

Why: the constructor makes the parameters from sizes alone, and keeps sizes and attrs under
their names.

Example:

    inputs.weight = { dtype = "T", shape = ["", "d"], init = "1" }
    torch.module  = "Scale"

How to fix: give the parameter one shape, or leave its `init` out, so that the caller gives
the tensor in every call.
"""

from collections.abc import Iterator

from opgen.language.analysis import analysis
from opgen.language.shapes import parse_shape
from opgen.lint.op_context import OpContext, Project
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic
from opgen.spec.op import TensorSpec

RULE = Rule("OG613", "bad-module", Stage.MEANING)

# What the instances of `nn.Module` have, and what our constructors and modules name.
TAKEN = frozenset("""
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
IMPORTED = ("Sequence", "Tensor")


def check(op: OpContext) -> Iterator[Diagnostic]:
    name = op.spec.options["torch"]["module"]
    if name is None:
        return
    where = op.at(("torch", "module"))
    if not name[0].isupper() or name in (*IMPORTED, "True", "False", "None"):
        yield RULE.at(where, f"`{name}` cannot be a class", 'write it as in "RMSNorm"')
    first = _first(op.project)[name]
    if first != op.name:
        message = f"`{name}` is the module of `{first}` too"
        yield RULE.at(where, message, "rename one of them")
    yield from _parameters(op)


@analysis
def _first(project: Project) -> dict[str, str]:
    """The first op of each module."""
    return {s.spec.options["torch"]["module"]: s.name for s in reversed(project.subjects)}


def _parameters(op: OpContext) -> Iterator[Diagnostic]:
    names = dict.fromkeys(op.spec.attrs)
    for name, tensor in op.spec.inputs.items():
        if tensor.init is None:
            continue
        problem = _problem(op, tensor)
        if problem:
            message = f"`{name}` cannot be a parameter: {problem}"
            yield RULE.at(op.at(("inputs", name), "key"), message, "leave out its `init`")
        elif tensor.one_shape is not None:
            names |= dict.fromkeys((name, *parse_shape(tensor.one_shape).names))
    for name in names:
        if name in TAKEN:
            message = f"a module has a `{name}` already"
            yield RULE.at(op.at(("torch", "module")), message, f"rename `{name}`")


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
