"""Print `bind`, which computes the results of a call and the values that kernels need. If an op has
both `bind` and `infer`, `infer` calls `bind`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opgen.ir.abi_hash import meaning_hash
from opgen.ir.kinds import kind_of as kernel_kind
from opgen.ir.nodes import Field, Kernel, Requirement
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.language.analysis import analysis
from opgen.language.expr import Call, Expr, Name, names_in, text_of
from opgen.language.scope import DEVICE
from opgen.source.frozen import dataclass
from opgen.targets.core.infer import InferBody
from opgen.targets.core.printer import Printer, section
from opgen.targets.core.values import Values, conditioned
from opgen.targets.own_names import own
from opgen.targets.public_api import Parameter, types_in
from opgen.targets.python_format import call, define, dict_of, function, quoted, tuple_of


@dataclass(frozen=True, slots=True)
class FunctionView:
    """A rendered Python function: its `def` line, its docstring, and the sections of its body."""

    define: str
    doc: str
    body: tuple[str, ...]

    @property
    def text(self) -> str:
        return function(self.define, [self.doc, *self.body])


def launched(op: Op) -> tuple[Kernel, ...]:
    """Return the kernels that Python launches. `opgen build` does not compile these kernels, and no
    library contains them.
    """
    return tuple(k for k in op.kernels if k.named and not k.native)


def demanding(op: Op) -> tuple[Kernel, ...]:
    """Return the kernels whose requirements on a call are checked by Python."""
    return tuple(k for k in op.kernels if k.demanding and (k.named or k.native))


def tuned(op: Op) -> tuple[Kernel, ...]:
    """Return the kernels whose tuned values depend on the dtypes and sizes of a call."""
    return tuple(k for k in op.kernels if k.tune is not None)


def completes(op: Op) -> bool:
    """Return whether Python must convert or compute attrs before it runs the op's reference.

    An attr is converted if it is encoded for the framework. It is computed if its default depends
    on sizes.
    """
    by_reference = any(grad.kind == "reference" for grad in op.grad.values())
    told = op.reference is not None or op.fallback or by_reference
    return told and any(isinstance(attr.default, Expr) or attr.kind.reader for attr in op.attrs)


@analysis
def has_bind(op: Op) -> bool:
    """Return whether the op's module needs `bind`. It needs `bind` if Python must know more about a
    call than its results, such as whether kernels accept it.
    """
    told = bool(launched(op)) or bool(tuned(op))
    told = told or bool(demanding(op) or conditioned(op) or op.computed)
    told = told or any(grad.require for grad in op.grad.values())
    return told or completes(op)


def functions(
    op: Op, parameters: Sequence[str], doc: str
) -> tuple[tuple[FunctionView, ...], Printer]:
    """Return the rendered functions `bind` (if needed) and `infer`, and their printer.

    The printer has collected the imports of both functions. `parameters` and `doc` are the
    parameters and the docstring of `infer`.
    """
    body = LaunchBody(op) if has_bind(op) else InferBody(op)
    sections = body.sections()
    head = define(own(op, "infer"), parameters, own(op, "Results"))
    if not has_bind(op):
        return (FunctionView(head, doc, sections),), body.printer
    names = [t.name for t in op.inputs]
    names += [f"{each}={each}" for each in (a.name for a in op.attrs)]
    names += ["wanted=wanted"] if op.on_request else []
    result = call(f"return {own(op, 'bind')}", names) + ".results"
    device = [f"{name}: int | None = None" for name in device_names(op)]
    arrays = [ARRAYS] if conditioned(op) else []
    body.printer.own.used |= types_in(a.kind for a in arrays)
    star = ["*"] if (device or arrays) and "*" not in parameters else []
    bind = define(
        own(op, "bind"),
        [*parameters, *star, *device, *arrays],
        f"{own(op, 'Launch')}[{own(op, 'Results')}]",
    )
    about = f'"""Check a call of `{op.name}`. Return results and kernel arguments."""'
    views = (FunctionView(bind, about, sections), FunctionView(head, doc, (result,)))
    return views, body.printer


def device_names(op: Op) -> tuple[str, ...]:
    """Return the names of the device properties that the op's requirements and size functions read.
    Python queries these properties, such as `arch`, from the device.
    """
    kernels = demanding(op)
    found = {n for k in kernels for r in k.require for n in names_in(r.condition)}
    found |= {"arch"} if any(k.compiled for k in kernels) else set()
    return tuple(name for name in DEVICE if name in found or name in sized_by(op))


def sized_by(op: Op) -> tuple[str, ...]:
    """Return the names of the device properties that are parameters of the op's size functions."""
    asked = {name for function in op.computed.values() for name in function.parameters}
    return tuple(name for name in DEVICE if name in asked)


def core_op(project: Project, op: Op) -> str:
    """Return the statement `<op> = CoreOp(...)`, which creates the op's object in `core/`."""
    items = [quoted(op.name), *(own(op, n) for n in ("FACTS", "infer", "pack", "unpack"))]
    items += [f"bind={own(op, 'bind')}"] if has_bind(op) else []
    if conditioned(op):
        items.append(f"values={tuple_of(quoted(t.name) for t in conditioned(op))}")
    if sized_by(op):
        items.append(f"sized_by={tuple_of(map(quoted, sized_by(op)))}")
    items.append(f"op_hash=0x{meaning_hash(project, op):012X}")
    return call(f"{op.name} = {own(op, 'CoreOp')}", items)


# The parameter of `bind` with the elements to check. It maps the name of each checked input to a
# list of NumPy arrays.
ARRAYS = Parameter("arrays", "Mapping[str, Sequence[Any]]", "{}")
# The message for a call that a kernel with 32-bit indices rejects.
INDEXABLE = "less than 2**31 elements in every tensor"
# The message for a call that a kernel compiled ahead of time rejects.
COMPILED = "code for this device"


class LaunchBody(InferBody):
    """Prints the body of `bind`, section by section."""

    def __init__(self, op: Op) -> None:
        super().__init__(op)
        self.sized = {k: sizes for k in launched(op) if (sizes := _sizes(op, k))}
        self.others = [k for k in launched(op) if k not in self.sized]
        self.printer.used.add("Launch")

    def returns(self) -> str:
        own = self.printer.own
        items = [f"{t.name}={self.result(t)}" for t in self.op.written]
        made = own("results")
        results = call(f"{made} = {own('Results')}", items)
        parts = [made]
        if self.others:
            fields = [self.field(field) for field in self.op.descriptor.fields]
            parts.append(f"descriptor={tuple_of(fields)}")
        for kernel in self.others:
            parts.append(f"grid={tuple_of(map(self.printer.expr, kernel.grid))}")
        parts += map(self.sizes, self.sized.values())
        required = [self.requirements(kernel) for kernel in demanding(self.op)]
        for n, grad in enumerate(self.op.grad.values(), 1):
            if grad.require:
                conditions = [self.condition(each) for each in grad.require]
                required.append(_entry(f"gradient {n}", conditions))
        if required:
            parts.append(f"require={dict_of(required)}")
        if tuned(self.op):
            parts.append(f"tuned={dict_of(map(self.chosen_by, tuned(self.op)))}")
        if self.op.attrs and (launched(self.op) or self.op.computed or completes(self.op)):
            pairs = [f"{quoted(attr.name)}: {attr.name}" for attr in self.op.attrs]
            parts.append(f"attrs={dict_of(pairs)}")
        return "\n".join([results, call(f"return {own('Launch')}", parts)])

    def values(self) -> str:
        tensors = conditioned(self.op)
        return section("Values.", [Values(self.printer, t).text() for t in tensors])

    def requirements(self, kernel: Kernel) -> str:
        """Return the entry of `require` that lists the conditions under which `kernel` accepts a
        call.
        """
        conditions = [self.condition(each) for each in kernel.require]
        if kernel.index == "i32":
            given = [t.name for t in self.op.inputs]
            given.append(f"*{self.printer.own('results')}")
            indexable = call(self.printer.support("indexable"), given)
            conditions.append(_pair(indexable, INDEXABLE))
        if kernel.compiled:
            given = [quoted(self.op.name), quoted(kernel.platform), "arch"]
            compiled = call(self.printer.support("compiled_for"), given)
            conditions.append(_pair(compiled, COMPILED))
        own = f".{kernel.name}" if kernel.listed else ""
        return _entry(f"{kernel.platform}{own}", conditions)

    def sizes(self, found: Mapping[str, Expr]) -> str:
        """Return the code of the argument `sizes`: a function that returns a dict of sizes by name.

        The sizes are computed only when the function runs, because they may be symbolic during
        tracing.
        """
        pairs = [f"{quoted(name)}: {self.printer.expr(size)}" for name, size in found.items()]
        return f"sizes=lambda: {dict_of(pairs)}"

    def chosen_by(self, kernel: Kernel) -> str:
        """Return the entry of `tuned` with the dtypes and sizes that select the tuned values of
        `kernel`.
        """
        assert kernel.tune is not None
        fields = {field.name: field for field in self.op.descriptor.fields}
        dtypes = [self.printer.expr(Name(name)) for name in kernel.tune.dtypes]
        sizes = [self.field(fields[name]) for name in kernel.tune.sizes]
        own = f".{kernel.name}" if kernel.listed else ""
        return _entry(f"{kernel.platform}{own}", [tuple_of(dtypes), tuple_of(sizes)])

    def field(self, field: Field) -> str:
        """Return the value of a descriptor field as code. In a numeric field, a dtype or a string
        choice is stored as a number.
        """
        value, printer = field.value, self.printer
        if field.type != "dtype" and self.is_dtype(value):
            return f"{printer.support('DTYPES')}[{printer.expr(value)}].code"
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
        holds = self.printer.expr(requirement.condition)
        unknown = [n for n in DEVICE if n in names_in(requirement.condition)]
        if unknown:
            holds = self.printer.expr(requirement.condition, 2)  # an operand of `or`
            holds = " or ".join([*(f"{name} is None" for name in unknown), holds])
        return _pair(holds, text)


def _sizes(op: Op, kernel: Kernel) -> Mapping[str, Expr]:
    kind = kernel_kind(kernel)
    return kind.sizes(op, kernel) if kind is not None else {}


def _entry(of: str, conditions: list[str]) -> str:
    """Return an entry of `require` or `tuned` as code, with the key `of` and the items
    `conditions`.

    The value of the entry is a function, because sizes may still be symbolic and cannot be
    compared.
    """
    return f"{quoted(of)}: lambda: {tuple_of(conditions)}"


def _pair(holds: str, text: str) -> str:
    """Return the code of a pair: a condition, and the text for messages about the condition."""
    return tuple_of([holds, quoted(text)])
