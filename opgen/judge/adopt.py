"""`opgen adopt`: add an accepted candidate to an op's list of kernels."""

from __future__ import annotations

import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from opgen.compiler.pipeline import load
from opgen.exchange import Refused
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.judge.candidate import Candidate, compiled, function_of, own_kernels
from opgen.judge.levels import judge
from opgen.judge.verdict import Verdict
from opgen.source.diagnostics import errors
from opgen.source.locate import locate
from opgen.spec.config import Config
from opgen.spec.models.kernels import place_of


def adopt(
    project: Project,
    config: Config,
    op: Op,
    candidate: Candidate,
    name: str,
    require: Sequence[str],
) -> tuple[Verdict, Mapping[Path, str]]:
    """Judge a candidate as the kernel `name`. Return the verdict, and the changed files by path.

    If the candidate is not accepted, no files are returned. Raises `Refused` if the candidate
    cannot be judged.
    """
    family = next(each for each in project.families if op in each.ops)
    spec = config.specs_dir / family.spec
    place = config.kernels_dir / family.name / f"{name}.cpp"
    if place.exists():
        raise Refused(f"{place.name} is a kernel of {op.name} already: pass another --name")
    source = renamed(candidate, op, name)
    with tempfile.TemporaryDirectory(prefix="opgen-adopt-") as folder:
        draft = replace(config, root=Path(folder))
        shutil.copytree(config.specs_dir, draft.specs_dir)
        shutil.copytree(config.kernels_dir, draft.kernels_dir)
        (draft.kernels_dir / family.name / place.name).write_text(source)

        def drafted(guarantees: Sequence[str]) -> tuple[Project, str]:
            text = listed(spec.read_text(encoding="utf-8"), op, name, require, guarantees)
            (draft.specs_dir / spec.relative_to(config.specs_dir)).write_text(text)
            made, found, _ = load(sorted(draft.specs_dir.rglob("*.toml")), draft)
            if made is None:
                first = errors(found)[0]
                raise Refused(f"the spec with this kernel would be wrong: {first.message}")
            return made, text

        made, _ = drafted(())
        verdict = judge(
            project,
            op.name,
            candidate.text,
            config.out_dir.parents[config.package.count(".")],
            config.kernels_dir,
            require=own_kernels(made.op(op.name))[0].require,
        )
        if not verdict.accepted:
            return verdict, {}
        made, text = drafted(verdict.guarantees)
        # The source must also compile next to the other sources of the family.
        new = made.op(op.name)
        compiled(new, made, own_kernels(new)[0], draft.kernels_dir, Path(folder))
    stored = place.with_suffix(".verdict.json")
    return verdict, {place: source, stored: verdict.model_dump_json(indent=2) + "\n", spec: text}


def renamed(candidate: Candidate, op: Op, name: str) -> str:
    """Return the source with the op's kernel function renamed to `name`. Raises `Refused`."""
    if candidate.kind != "source":
        raise Refused("a project adopts C++ sources alone")
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise Refused(f"`{name}` is not a name of C++: pass --name")
    text = candidate.path.read_text(encoding="utf-8")
    definition = re.compile(rf"(\bopgen::Status\s+){re.escape(function_of(op))}(\s*\()")
    text, count = definition.subn(rf"\g<1>{name}\g<2>", text)
    if count != 1:
        raise Refused(
            f"{candidate.path.name} must define `opgen::Status {function_of(op)}(...)` once, "
            f"and does so {count} times"
        )
    return text


def listed(text: str, op: Op, name: str, require: Sequence[str], guarantees: Sequence[str]) -> str:
    """Return the spec's text, with the kernel as the new first entry in the op's list of kernels.

    Without `require`, the kernel accepts every call, so the op's other CPU kernels are removed from
    the list. Raises `Refused` if the text cannot be changed.
    """
    parts = ['on = "cpu"', f'symbol = "{name}"']
    if require:
        parts.append(f"require = [{', '.join(map(_quoted, require))}]")
    if guarantees:
        parts.append(f"guarantees = [{', '.join(map(_quoted, guarantees))}]")
    entry = f"{{ {', '.join(parts)} }}"
    spans = locate(text)
    whole = ("ops", op.name, "kernels")
    if whole not in spans or not text.startswith("[", spans[whole].value[0]):
        raise Refused(f"add the entry to the spec of {op.name} by hand: {entry}")
    former = tomllib.loads(text)["ops"][op.name]["kernels"]
    rows = [entry]
    for n, each in enumerate(former):
        if require or place_of(each) != "cpu":
            rows.append(text[slice(*spans[*whole, n].value)])
    written = "".join(f"\n    {row}," for row in rows)
    begin, end = spans[whole].value
    return f"{text[:begin]}[{written}\n]{text[end:]}"


def _quoted(condition: str) -> str:
    return '"' + condition.replace("\\", "\\\\").replace('"', '\\"') + '"'
