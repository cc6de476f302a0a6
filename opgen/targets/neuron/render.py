"""The ops for AWS Neuron: custom operators in C++, and NKI kernels as custom calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from opgen.ir.op import Op
from opgen.ir.project import Family, Project, Whole
from opgen.targets import environment
from opgen.targets.cpp.cpp_wrap import broken
from opgen.targets.neuron.functions import function_view
from opgen.targets.neuron.libraries import PLATFORM, Library, library_of, nki_ops
from opgen.targets.neuron.operators import operator_view
from opgen.targets.neuron.scripts import build_view, my_ops_view
from opgen.targets.python_format import call, import_from, quoted, tuple_of
from opgen.targets.target import OutputFile

TEMPLATES = Path(__file__).parent / "templates"


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Return no files. `shared_outputs` renders the library, because it has ops of all families."""
    return ()


def summary(project: Project, family: Family) -> Family | None:
    """Return `family` if an op in `project` has a kernel for Neuron, else None.

    `project` contains `family` and the families that `family` refers to.
    """
    return family if any(map(_concerns, project.families)) else None


def _concerns(family: Family) -> bool:
    return any(op.kernel(PLATFORM) is not None for op in family.ops)


def shared_outputs(whole: Whole, summaries: Sequence[Family | None]) -> Iterable[OutputFile]:
    """Yield the files of `neuron/` if at least one op has a kernel for Neuron.

    The files define the library of custom operators and the calls to NKI kernels.
    """
    families = tuple(family for family in summaries if family is not None)
    project = Project(whole.package, whole.namespace, families, whole.kernels_dir)
    library, launched = library_of(project), nki_ops(project)
    if not library and not launched:
        return
    yield _file("neuron/__init__.py", "package.py.j2")
    if library:
        yield _file("neuron/_checks.py", "checks.py.j2")
        yield from _library(project, library, whole.layout)
    if launched:
        yield from _launched(families, launched)


def _launched(families: Sequence[Family], ops: Sequence[Op]) -> Iterator[OutputFile]:
    """Yield the modules that call NKI kernels, and copies of the files that define the kernels."""
    modules = {"CoreOp", *(f"_{op.name}" for op in ops)}
    imports, kernels = import_from("..core", modules), map(_nki_kernel, ops)
    yield _file("neuron/nki.py", "nki.py.j2", imports=imports, kernels=kernels)
    yield _file("neuron/jax.py", "jax.py.j2")
    yield _file("neuron/torch.py", "torch.py.j2")
    yield _file("neuron/_hlo.py", "hlo.py.j2")
    yield _file("neuron/legacy/__init__.py", "legacy/framework.py.j2")
    yield _file("neuron/legacy/jax.py", "legacy/jax.py.j2")
    yield _file("neuron/legacy/torch.py", "legacy/torch.py.j2")
    texts = {file: text for family in families for file, text in family.python_kernels}
    kernels_of = (op.kernel(PLATFORM) for op in ops)
    for file in sorted({kernel.file for kernel in kernels_of if kernel and kernel.file}):
        yield OutputFile(f"neuron/kernels/{file}", texts[file])


def _nki_kernel(op: Op) -> str:
    """Return the op's entry in the rendered table of NKI kernels, as Python code."""
    kernel = op.kernel(PLATFORM)
    assert kernel is not None
    items = [
        f"_{op.name}.{op.name}",
        quoted(str(kernel.named)),
        f"_{op.name}.bind",
        f"_{op.name}.DESCRIPTOR.pack",
        tuple_of(quoted(t.name) for t in op.inputs),
        tuple_of(quoted(t.name) for t in op.written),
        tuple_of(map(str, sorted(kernel.options["lnc"] or (1,)))),
    ]
    return call(f"{quoted(op.name)}: NkiKernel", items)


def _library(project: Project, library: Library, layout: str) -> Iterator[OutputFile]:
    folder = f"neuron/{library.name}"
    views = {
        "library": library,
        "operators": [operator_view(project, each) for each in library.operators],
    }
    functions = [function_view(project, each.op) for each in library.operators]
    yield _file(f"{folder}/compute.h", "compute.h.j2", **views)
    yield _file(f"{folder}/shape.cpp", "shape.cpp.j2", **views)
    yield _file(f"{folder}/cpu/ops.cpp", "twin.cpp.j2", **views)
    for place, twin in ((folder, False), (f"{folder}/cpu", True)):
        text = f"`{library.name}`{', on the CPU' if twin else ''}. Rendered by opgen."
        yield OutputFile(f"{place}/__init__.py", f'"""{text}"""\n')
        build = build_view(library, layout, twin)
        yield _file(f"{place}/build.py", "build.py.j2", build=build)
        ops = my_ops_view(library, functions, layout, twin)
        yield _file(f"{place}/my_ops.py", "my_ops.py.j2", ops=ops, functions=functions)


def _file(path: str, template: str, **values: object) -> OutputFile:
    text = environment(TEMPLATES).get_template(template).render(values)
    return OutputFile(path, broken(text) if path.endswith((".h", ".cpp")) else text)
