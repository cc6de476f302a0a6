"""Prints what a kernel is told of a call: `bind`, from which `infer` then takes the results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from opgen.expr import Call, Expr, Name, text_of
from opgen.ir import Field, Kernel, Op, Project, Requirement
from opgen.signatures import packed
from opgen.targets.core.infer import InferBody
from opgen.targets.core.printer import INDENT
from opgen.targets.python import WIDTH, bracketed, call, define, quoted, tuple_of


@dataclass(frozen=True, slots=True)
class LaunchView:
    """`bind` and `infer` of an op; `describe`, a function, may be empty."""

    bind: str
    bind_doc: str
    result: str
    describe: str


def nki_kernel(op: Op) -> Kernel | None:
    """The op's NKI kernel."""
    return next((kernel for kernel in op.kernels if kernel.nki), None)


def has_nki(project: Project) -> bool:
    return any(nki_kernel(op) is not None for op in project.ops)


def has_bind(op: Op) -> bool:
    """Whether Python tells the op's kernel its descriptor: an NKI kernel, or JAX's."""
    return nki_kernel(op) is not None or packed(op)


def body_of(op: Op) -> InferBody:
    """The statements that check a call of `op`."""
    return LaunchBody(op) if has_bind(op) else InferBody(op)


def launch_view(op: Op, parameters: list[str]) -> LaunchView | None:
    """None for an op without `bind`. `parameters` are those of `infer`."""
    if not has_bind(op):
        return None
    what = "its NKI kernel" if nki_kernel(op) else "its kernel"
    names = [t.name for t in op.inputs]
    names += [f"{each}={each}" for each in (a.name for a in op.attrs)]
    names += ["wanted=wanted"] if op.on_request else []
    return LaunchView(
        bind=define("def bind(", parameters, ") -> Launch:"),
        bind_doc=f'"""Check a call of `{op.name}`: its results, and what {what} is told."""',
        result=call("return bind(", names, ").results", INDENT),
        describe=_describe(op, parameters, names) if packed(op) else "",
    )


def _describe(op: Op, parameters: list[str], names: list[str]) -> str:
    """The function that packs the descriptor of a call."""
    head = define("def describe(", parameters, ") -> bytes:")
    doc = f'"""Check a call of `{op.name}` and pack its descriptor."""'
    body = call("launch = bind(", names, ")", INDENT)
    result = "return DESCRIPTOR.pack(*launch.descriptor)"
    return f"{head}\n    {doc}\n    {body}\n    {result}"


def core_op(op: Op) -> str:
    """The statement that makes the op's face."""
    items = [quoted(op.name), "infer", "pack", "unpack"]
    kernel = nki_kernel(op)
    if kernel is not None:
        operands = tuple_of(quoted(t.name) for t in op.inputs)
        results = tuple_of(quoted(t.name) for t in op.written)
        parts = [quoted(str(kernel.nki)), "bind", "DESCRIPTOR.pack", operands, results]
        items.append(call("NkiKernel(", parts, ")", INDENT))
    if packed(op):
        items.append("describe=describe")
    return bracketed(f"{op.name} = CoreOp(", items, ")")


class LaunchBody(InferBody):
    """The sections of `bind`."""

    def __init__(self, op: Op) -> None:
        super().__init__(op)
        self.kernel = nki_kernel(op)
        self.printer.used |= {"Launch"} | ({"NkiKernel"} if self.kernel else set())

    def returns(self) -> str:
        items = [f"{t.name}={self.result(t, len(t.name) + 1)}" for t in self.op.written]
        results = call("results = Results(", items, ")", INDENT)
        fields = [self.field(field) for field in self.op.descriptor.fields]
        parts = ["results", _argument("descriptor", fields)]
        grid = self.kernel.grid if self.kernel else ()
        parts.append(_argument("grid", map(self.printer.expr, grid)))
        if self.kernel and self.kernel.require:
            parts.append(_argument("require", map(self.condition, self.kernel.require)))
        if self.op.attrs:
            pairs = [f"{quoted(attr.name)}: {attr.name}" for attr in self.op.attrs]
            parts.append(_argument("attrs", pairs, "{}"))
        return f"{results}\n    {call('return Launch(', parts, ')', INDENT)}"

    def field(self, field: Field) -> str:
        """A field's value; choices and dtypes go by number where the field is one."""
        value, printer = field.value, self.printer
        if field.type != "dtype" and self.is_dtype(value):
            printer.used.add("DTYPES")
            return f"DTYPES[{printer.expr(value)}].code"
        attr = next((a for a in self.op.attrs if value == Name(a.name)), None)
        if attr is not None and attr.type == "str" and attr.choices:
            return f"{tuple_of(map(quoted, attr.choices))}.index({attr.name})"
        if attr is not None and attr.optional:
            return f"{attr.name} or 0"
        return printer.expr(value)

    def is_dtype(self, value: Expr) -> bool:
        if isinstance(value, Call):
            return value.func in ("accum", "promote", "real")
        attrs = {attr.name for attr in self.op.attrs if attr.type == "dtype"}
        variables = {variable.name for variable in self.op.dtypes}
        return isinstance(value, Name) and value.id in attrs | variables

    def condition(self, requirement: Requirement) -> str:
        text = requirement.message or text_of(requirement.condition)
        return tuple_of([self.printer.expr(requirement.condition), quoted(text)])


def _argument(name: str, items: Iterable[str], brackets: str = "()") -> str:
    """A keyword argument that is a tuple or a dict, on lines of its own where it is long."""
    items = list(items)
    (left, right), indent = brackets, INDENT + 4
    comma = "," if brackets == "()" and len(items) == 1 else ""
    line = f"{name}={left}{', '.join(items)}{comma}{right}"
    if indent + len(line) + 1 <= WIDTH:
        return line
    lines = "".join(f"{' ' * (indent + 4)}{item},\n" for item in items)
    return f"{name}={left}\n{lines}{' ' * indent}{right}"
