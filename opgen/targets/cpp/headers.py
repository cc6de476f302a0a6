"""Prepare a family's header: descriptors, argument structs, and typed views of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opgen.ir.abi_hash import op_hash
from opgen.ir.nodes import Bundle, Kernel, Tensor
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.analysis import analysis
from opgen.language.expr import text_of
from opgen.language.names import camel
from opgen.source.frozen import dataclass
from opgen.spec.attr_types import FIELD_TYPES
from opgen.targets.cpp.cpp_format import aligned, doc, listing
from opgen.targets.cpp.names import cpp_name, struct
from opgen.targets.cpp.platforms import native_platforms
from opgen.targets.cpp.types import element, typed_dtypes


@dataclass(frozen=True)
class StructView:
    """A C++ struct: its documentation, its lines, and its static assertions."""

    doc: str
    name: str
    lines: tuple[str, ...]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class KernelView:
    """The struct with typed views of an op's arguments. A kernel template receives this struct."""

    doc: str
    name: str
    parameters: str
    aliases: tuple[str, ...]
    lines: tuple[str, ...]
    constructor: str
    initializers: str


def comment(tensor: Tensor, *, dtype: bool = True) -> str:
    """Return a tensor's dtype and shape in the notation of the spec, such as `T: *batch *norm`."""
    shapes = " or ".join(str(shape) or "scalar" for shape in tensor.shapes)
    if not dtype:
        return shapes
    return f"{' or '.join(dict.fromkeys(tensor.dtype.values()))}: {shapes}"


def descriptor(op: Op) -> StructView:
    """Return the C++ struct of an op's descriptor. The struct is packed."""
    rows = []
    name = struct(op, "Descriptor")
    facts = [f"static_assert(sizeof({name}) == {op.descriptor.size});"]
    for field in op.descriptor.fields:
        array = f"[{field.count}]" if field.count else ""
        code = f"{FIELD_TYPES[field.type].cpp} {cpp_name(field.name)}{array};"
        rows.append((code, text_of(field.value)))
        facts.append(f"static_assert(offsetof({name}, {cpp_name(field.name)}) == {field.offset});")
    text = f"The facts of a call for a kernel of `{op.name}`: {op.descriptor.size} bytes, padding is zero."
    return StructView(doc(text), name, tuple(aligned(rows)), tuple(facts))


def args(op: Op) -> StructView:
    """Return the C++ struct with an entry's arguments: the descriptor, the context, and untyped
    buffers.
    """
    rows = [(f"const {struct(op, 'Descriptor')}* desc;", ""), ("const opgen::Context* ctx;", "")]
    for tensor in op.tensors:
        kind = "BufferList" if tensor.list else "Buffer"
        rows.append((f"opgen::{kind} {cpp_name(tensor.name)};", comment(tensor)))
    text = f"The arguments of a kernel of `{op.name}`: outputs, residuals, workspace, inputs."
    return StructView(doc(text), struct(op, "Args"), tuple(aligned(rows)))


def layout(project: Project, op: Op) -> str:
    """Return the C++ constant with the layout hash of an op. A library that adds a kernel to the op
    must be compiled with the same hash.
    """
    text = f"The layout that a kernel added to `{op.name}` must agree on."
    value = f'"{op_hash(project.namespace, op)}"'
    return f"{doc(text)}\ninline constexpr char {struct(op, 'Layout')}[] = {value};"


def view_name(op: Op, kernel: Kernel) -> str:
    """Return the name of a kernel's view, the struct of its typed arguments.

    Kernels with the same dispatch, index type and tuned values share a view. If an op has several
    views, their names include a platform or a kernel.
    """
    return struct(op, f"{_owner(kernel, [k for k in announced(op) if k.dispatch])}View")


def _owner(kernel: Kernel, among: Sequence[Kernel]) -> str:
    """Return the platform or kernel that the name of a view includes, or "" for the first view."""

    def about(kernel: Kernel) -> tuple[object, ...]:
        tuned = (kernel.platform, kernel.name) if kernel.tune is not None else ()
        return kernel.dispatch, kernel.index, tuned

    def alike(one: Kernel, other: Kernel) -> bool:
        return about(one) == about(other)

    by_name = sorted(among, key=lambda k: k.tune is not None)
    others = [k for k in among if not alike(k, by_name[0])]
    if not any(alike(kernel, k) for k in others):
        return ""
    here = [k for k in others if k.platform == kernel.platform]
    if all(alike(kernel, k) for k in here):
        return kernel.platform.capitalize()
    return camel(next(k.name for k in here if alike(kernel, k)))


def kernel_views(op: Op) -> tuple[KernelView, ...]:
    """Return the distinct views (structs of typed arguments) that the op's kernels take.

    A kernel without dispatch has no view. A view is rendered even before its kernel's source
    exists, so that authors can read it first.
    """
    found: dict[str, KernelView] = {}
    for kernel in announced(op):
        if kernel.dispatch and (name := view_name(op, kernel)) not in found:
            found[name] = _kernel_view(op, kernel, name)
        if is_launched(op, kernel):
            found[device_view_name(op, kernel)] = _device_view(op, kernel)
    return tuple(found.values())


def _kernel_view(op: Op, kernel: Kernel, name: str) -> KernelView:
    types = typed_dtypes(op, kernel.dispatch)
    rows = [(f"const {struct(op, 'Descriptor')}& desc;", ""), ("const opgen::Context& ctx;", "")]
    starts = ["desc(*args.desc)", "ctx(*args.ctx)"]
    _add_tune(op, kernel, rows, starts)
    for each in op.bundled(op.tensors):
        _add(
            op, each, lambda t: _typed(t, types), lambda t: f"args.{cpp_name(t.name)}", rows, starts
        )
    return KernelView(
        doc=doc(f"`{struct(op, 'Args')}` with types, as a kernel of `{op.name}` takes it."),
        name=name,
        parameters=", ".join(f"class {cpp_name(d)}" for d in kernel.dispatch),
        aliases=_aliases(types, kernel),
        lines=tuple(aligned(rows)),
        constructor=_constructor(op, kernel, name),
        initializers=listing("      : ", starts, " {}"),
    )


def _add_tune(op: Op, kernel: Kernel, rows: list[tuple[str, str]], starts: list[str]) -> None:
    if kernel.tune is not None:
        rows.append((f"{tune_name(op, kernel)} tune;", ""))
        starts.append("tune(chosen)")


def _constructor(op: Op, kernel: Kernel, name: str) -> str:
    args = f"const {struct(op, 'Args')}& args"
    if kernel.tune is None:
        return f"explicit {name}({args}) noexcept"
    return f"{name}({args}, const {tune_name(op, kernel)}& chosen) noexcept"


def _add(
    op: Op,
    each: Tensor | Bundle,
    kind: Callable[[Tensor], str],
    value: Callable[[Tensor], str],
    rows: list[tuple[str, str]],
    starts: list[str],
) -> None:
    """Add the fields of a tensor or bundle to a view, with their initial values. A bundle becomes a
    struct.
    """
    name = cpp_name(each.name)
    if isinstance(each, Tensor):
        rows.append((f"{kind(each)} {name};", comment(each, dtype=False)))
        starts.append(f"{name}({value(each)})")
        return
    members = [(cpp_name(m), op.tensor(t)) for m, t in each.members if t is not None]
    rows.append(("struct {", ""))
    rows += [(f"  {kind(t)} {member};", comment(t, dtype=False)) for member, t in members]
    rows.append((f"}} {name};", ""))
    values = [f"{kind(t)}({value(t)})" for _, t in members]
    values[0] = f"{name}{{{values[0]}"
    starts += [*values[:-1], f"{values[-1]}}}"]


def tuned(op: Op) -> tuple[Kernel, ...]:
    """Return the tuned kernels of an op. Their sources may not exist yet."""
    given = (*op.kernels, *op.awaited)
    return tuple(
        k for p in native_platforms() for k in given if k.platform == p and k.tune is not None
    )


def tune_name(op: Op, kernel: Kernel) -> str:
    """Return the name of the struct with a kernel's tuned values."""
    own = camel(kernel.name) if kernel.listed else ""
    return struct(op, f"{kernel.platform.capitalize()}{own}Tune")


def is_launched(op: Op, kernel: Kernel) -> bool:
    """Return whether a kernel may be a `__global__` function that the entry launches."""
    platform = native_platforms().get(kernel.platform)
    starts = platform is not None and platform.start and kernel.block and kernel.dispatch
    return bool(starts) and not any(tensor.list for tensor in op.tensors)


def device_view_name(op: Op, kernel: Kernel) -> str:
    """Return the parameter type of a `__global__` kernel."""
    return struct(
        op, f"{_owner(kernel, [k for k in announced(op) if is_launched(op, k)])}DeviceView"
    )


def _device_view(op: Op, kernel: Kernel) -> KernelView:
    types = typed_dtypes(op, kernel.dispatch)
    name = device_view_name(op, kernel)
    rows = [(f"{struct(op, 'Descriptor')} desc;", "")]
    starts = ["desc(*args.desc)"]
    _add_tune(op, kernel, rows, starts)

    def pointer(tensor: Tensor) -> str:
        return _pointer(tensor, element(tensor, types) or "void")

    def address(tensor: Tensor) -> str:
        return f"static_cast<{pointer(tensor)}>(args.{cpp_name(tensor.name)}.data)"

    for each in op.bundled(op.tensors):
        _add(op, each, pointer, address, rows, starts)
    text = f"`{struct(op, 'Args')}` by value, for `__global__` kernels of `{op.name}`: sizes are in the descriptor."
    return KernelView(
        doc=doc(text),
        name=name,
        parameters=", ".join(f"class {cpp_name(d)}" for d in kernel.dispatch),
        aliases=_aliases(types, kernel),
        lines=tuple(aligned(rows)),
        constructor=_constructor(op, kernel, name),
        initializers=listing("      : ", starts, " {}"),
    )


def _aliases(types: dict[str, str], kernel: Kernel) -> tuple[str, ...]:
    index = ["using Index = int32_t;"] if kernel.index == "i32" else []
    derived = (alias for alias in types if alias not in kernel.dispatch)
    return (*index, *(f"using {cpp_name(n)} = {types[n]};" for n in derived))


def _pointer(tensor: Tensor, text: str) -> str:
    return f"{'const ' if _is_read(tensor) else ''}{text}*"


def _is_read(tensor: Tensor) -> bool:
    """Return whether a kernel only reads a tensor and never writes it."""
    return tensor.role == "input" and not tensor.update


def _typed(tensor: Tensor, types: dict[str, str]) -> str:
    text = element(tensor, types)
    kind = "List" if tensor.list else "Tensor"
    if text is None:
        return "opgen::BufferList" if tensor.list else "opgen::Buffer"
    return f"opgen::{kind}<{'const ' if _is_read(tensor) else ''}{text}>"


@analysis
def announced(op: Op) -> tuple[Kernel, ...]:
    """Return the kernels with C++ sources that opgen compiles. Their sources may not exist yet."""
    given = (*(k for k in op.kernels if not k.compiled), *op.awaited)
    return tuple(k for platform in native_platforms() for k in given if k.platform == platform)


def cpp_kernels(op: Op) -> tuple[Kernel, ...]:
    """Return the kernels that opgen compiles, without those whose sources do not exist yet."""
    return tuple(k for k in op.kernels if k.platform in native_platforms())


def cpp_platforms(op: Op) -> tuple[str, ...]:
    """Return the platforms with kernels that opgen compiles."""
    return tuple(dict.fromkeys(k.platform for k in cpp_kernels(op)))
