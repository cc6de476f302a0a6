"""Render the ops for TPUs: copies of the Pallas kernels, and modules that call them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from opgen.ir.op import Op
from opgen.ir.project import Family, Project, Whole
from opgen.targets import environment
from opgen.targets.target import OutputFile
from opgen.targets.tpu.resolve import PallasKernel
from opgen.targets.tpu.views import view

FOLDER = Path(__file__).parent


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield a module in `tpu/` for each op with a Pallas kernel, and copies of the kernel files."""
    template = environment(FOLDER / "templates").get_template("call.py.j2")
    for op, kernel in _kernels(family):
        yield OutputFile(f"tpu/_{op.name}.py", template.render(view=view(op, kernel)))
    texts = dict(family.python_kernels)
    for file in dict.fromkeys(kernel.file for _, kernel in _kernels(family)):
        yield OutputFile(f"tpu/kernels/{file}", texts[file], verbatim=True)


def summary(project: Project, family: Family) -> tuple[str, ...]:
    """Return the paths of the Pallas kernel files of a family."""
    return tuple(kernel.file for _, kernel in _kernels(family))


def shared_outputs(whole: Whole, summaries: Sequence[tuple[str, ...]]) -> Iterable[OutputFile]:
    """Yield the shared files of the package `tpu/`, if at least one op has a Pallas kernel."""
    files = [PurePosixPath("kernels", file) for found in summaries for file in found]
    if not files:
        return
    yield OutputFile("tpu/__init__.py", '"""The ops for TPUs. Rendered by opgen."""\n')
    for folder in sorted({str(folder) for file in files for folder in file.parents} - {"."}):
        yield OutputFile(f"tpu/{folder}/__init__.py", "")
    for file in sorted((FOLDER / "runtime").glob("*.py")):
        yield OutputFile(f"tpu/{file.name}", file.read_text(), verbatim=True)


def _kernels(family: Family) -> list[tuple[Op, PallasKernel]]:
    return [
        (op, k.code) for op in family.ops for k in op.kernels if isinstance(k.code, PallasKernel)
    ]
