"""The ops for PyTorch: their Python wrappers, fake kernels, autograd rules and batching."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opgen.ir.project import Family, Project, Whole
from opgen.targets import environment
from opgen.targets.python_format import import_from
from opgen.targets.target import OutputFile
from opgen.targets.torch.modules import module_name
from opgen.targets.torch.optimizers import optimizer_name
from opgen.targets.torch.patches import patches
from opgen.targets.torch.views import view
from opgen.targets.vendored import vendored

FOLDER = Path(__file__).parent


def family_outputs(project: Project, family: Family) -> Iterable[OutputFile]:
    """Yield a module of `torch/` for each op."""
    module = environment(FOLDER / "templates").get_template("op.py.j2")
    for op in family.ops:
        yield OutputFile(f"torch/_{op.name}.py", module.render(op=view(project, op)))


def summary(project: Project, family: Family) -> dict[str, list[str]]:
    """Return each module's public names: the op, its `nn.Module`, its optimizer. Stages
    have none.
    """
    found = {
        op.name: [op.name, *filter(None, (module_name(op), optimizer_name(op)))]
        for op in family.ops
    }
    # The runtime has `patch`. The package offers it if some op has patches.
    patch = {"runtime": ["patch"]} if any(patches(op) for op in family.ops) else {}
    return found | {stage: [] for stage in family.stages} | patch


def shared_outputs(whole: Whole, summaries: Sequence[dict[str, list[str]]]) -> Iterable[OutputFile]:
    """Yield the package, and the shared parts of its modules, in `_opgen/torch/`."""
    templates = environment(FOLDER / "templates")
    wrappers = {op: names for found in summaries for op, names in found.items()}
    package: dict[str, object] = {
        "stages": sorted(op for op, names in wrappers.items() if not names),
        "imports": [
            import_from(".._opgen.torch" if op == "runtime" else f"._{op}", wrappers[op])
            for op in sorted(wrappers)
            if wrappers[op]
        ],
        "names": sorted(name for names in wrappers.values() for name in names),
    }
    text = templates.get_template("package.py.j2")
    yield OutputFile("torch/__init__.py", text.render(namespace=whole.namespace, **package))
    yield from vendored(whole, "torch")
