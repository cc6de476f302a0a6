"""Render a page of documentation for every op, and a catalogue of all ops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.ir.op import Op
from opgen.ir.project import Family, Project, Whole
from opgen.source.frozen import dataclass
from opgen.targets import environment
from opgen.targets.bundles import annotation
from opgen.targets.docs.markdown import cell, code, markdown
from opgen.targets.op_summary import Section, remarks, sections
from opgen.targets.public_api import parameters
from opgen.targets.target import OutputFile

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class TableView:
    """Template data for a section of a page: its title, the rows of its table, and a note below."""

    title: str
    rows: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class PageView:
    """Template data for one `docs/<op>.md`."""

    name: str
    doc: str
    spec: str
    package: str
    remarks: tuple[str, ...]
    signature: str
    results: str
    tables: tuple[TableView, ...]


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield `docs/<op>.md` for each op."""
    page = environment(TEMPLATES).get_template("op.md.j2")
    for op in family.ops:
        yield OutputFile(f"docs/{op.name}.md", page.render(page=view(project, op)))


def summary(project: Project, family: Family) -> list[str]:
    """Return the catalogue's rows for a family: one for each op, except stages of other ops."""
    return [_row(_entry(op), plain=True) for op in family.ops if op.name not in family.stages]


def _entry(op: Op) -> tuple[str, ...]:
    """Return the cells of an op's row in the catalogue."""
    given = (p.untyped for p in parameters(op, "Tensor", bundle=lambda bundle: bundle.name))
    dtypes = (f"{v.name}: {' '.join(v.choices)}" for v in op.dtypes if v.free)
    return (
        f"[`{op.name}`]({op.name}.md)",
        _catalogued(op.doc),
        code(f"{op.name}({', '.join(given)})"),
        "; ".join(dtypes),
        ", ".join(kernel.platform for kernel in op.kernels),
        ", ".join(map(code, op.replaces)),
    )


def _catalogued(text: str) -> str:
    return markdown(text).replace("|", "\\|").replace("\n", " ")


def shared_outputs(whole: Whole, summaries: Sequence[list[str]]) -> Iterable[OutputFile]:
    """Yield the catalogue, `docs/_index.md`. No op can have the name `_index`."""
    index = environment(TEMPLATES).get_template("index.md.j2")
    rows = [row for family in summaries for row in family]
    yield OutputFile("docs/_index.md", index.render(package=whole.package, rows=rows))


def view(project: Project, op: Op) -> PageView:
    """Return the template data for the page of an op."""
    signature = parameters(op, "Tensor", bundle=lambda b: annotation(op, b, "Tensor"))
    return PageView(
        name=op.name,
        doc=markdown(op.doc),
        spec=op.spec,
        package=project.package,
        remarks=tuple(map(markdown, remarks(op))),
        signature=f"{op.name}({', '.join(signature)})",
        results=", ".join(tensor.name for tensor in op.bundled(op.results)),
        tables=tuple(map(_table, sections(op))),
    )


def _table(section: Section) -> TableView:
    rows: list[str] = []
    if section.rows:
        rows = [_row(section.columns), _row(("---",) * len(section.columns), plain=True)]
        rows += [_row(row) for row in section.rows]
    return TableView(section.title, tuple(rows), markdown(section.note))


def _row(cells: tuple[str, ...], *, plain: bool = False) -> str:
    texts = cells if plain else map(cell, cells)
    return f"| {' | '.join(texts)} |"
