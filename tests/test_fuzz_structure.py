"""Random changes by structure and token: what passes lint is rendered, and rendered files compile.

`OPGEN_FUZZ=100000` tries 2,500 changed specs, and `OPGEN_FUZZ_SEED` sets the first seed. All
failures are collected; one of each kind is shown with its seed.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import resource
import shutil
import subprocess
import time
import traceback
import warnings
from pathlib import Path

import pytest

from opgen.build.runtime_files import include_dir
from opgen.cli.main import main
from opgen.compiler.pipeline import check, resolve
from opgen.compiler.project_checks import check_files
from opgen.output.render import builtin_targets, render
from opgen.source.diagnostics import errors
from opgen.source.report import report
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config
from opgen.spec.parse import parse_spec
from tests.mutants import mutate, read, toml

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
FOLDERS = ("specs", "examples/language/specs", "tests/cases/gradient_by_cases/specs")
SPECS = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.toml"))]
SPECS += sorted((ROOT / "tests/lint").glob("*/good.toml"))
DOCUMENTS = [read(path.read_text()) for path in SPECS]
MUTANTS = max(100, int(os.environ.get("OPGEN_FUZZ", "1500")) // 40)
SEED = int(os.environ.get("OPGEN_FUZZ_SEED", "0"))
SECONDS = 4.0
# Number of changed specs whose headers a C++ compiler checks.
COMPILED = 3


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """Create a project with every reference, and with a kernel source for the changed specs."""
    root = tmp_path_factory.mktemp("mutants")
    (root / "specs").mkdir()
    for folder in FOLDERS:
        for file in (ROOT / folder).glob("*.py"):
            shutil.copy(file, root / "specs")
    (root / "kernels/mutant").mkdir(parents=True)
    (root / "kernels/mutant/mutant.cpp").touch()
    return Config(root, targets=builtin_targets())


def mutant(seed: int) -> str:
    dice = random.Random(seed)
    return toml(mutate(dice, dice.choice(DOCUMENTS), DOCUMENTS))


def run(text: str, project: Config) -> dict[str, str] | None:
    """Return the files rendered from `text`; None if lint finds an error."""
    begin = time.process_time()
    path = project.root / "specs/mutant.toml"
    source = SourceFile.decode(path.as_posix(), text.encode())
    spec, found = parse_spec(source)
    specs = {} if spec is None else {source.path: spec}
    found += check(specs)
    sources = {source.path: source}
    if not errors(found):
        found += check_files(specs, project, sources)
        # A reference is only copied, so a missing one does not prevent rendering.
        found = [d for d in found if (d.rule, d.where.path[-1:]) != ("OG030", ("reference",))]
    report(found, sources, "text", color=False)
    files = None
    if not errors(found):
        rendered = render(resolve(specs, sources, project), project.targets)
        files = {file.path: file.text for file in rendered}
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            for name, code in files.items():
                if name.endswith(".py"):
                    compile(code, name, "exec")
    assert time.process_time() - begin < SECONDS, "too slow"
    return files


def kind(error: BaseException) -> str:
    """Return the place and message of a failure, which groups failures with the same cause."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}: {str(error)[:100]}"


def test_what_lint_passes_is_rendered_and_compiles(project: Config) -> None:
    failed: dict[str, list[int]] = {}
    rendered = 0
    for seed in range(SEED, SEED + MUTANTS):
        try:
            rendered += run(mutant(seed), project) is not None
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            failed.setdefault(kind(error), []).append(seed)
    shown = [
        f"{len(seeds)} x {what}, mutant {seeds[0]}:\n{mutant(seeds[0])}"
        for what, seeds in failed.items()
    ]
    assert not failed, "\n\n".join(shown)
    assert rendered >= MUTANTS // 20


FOUND = {
    "a constant condition": """
[ops.f]
doc = "An op."
inputs.x = { dtype = "T", shape = { "1 == 1" = "*s", else = "n" } }
outputs.y = { dtype = { "f32 == f64" = "f64", else = "T" }, shape = { "2 == 1" = "2", else = "*s" } }
grad = { "1 == 2" = "none", "2 == 2" = "none", else = "none" }
sharding.split = { "bits(f32) > 8" = ["s"], else = [] }
kernels = ["cpu"]
""",
    "an op called index": """
[ops.index]
doc = "An op."
inputs.x = { dtype = "T", shape = "*s" }
outputs.y = { dtype = "T", shape = "*s" }
grad.formulas = { x = "dy" }
sharding.split = ["s"]
kernels = ["cpu"]
""",
    "blanks around a layout": """
[ops.f]
doc = "An op."
inputs.x = { dtype = "T", shape = "b t d", layout = "t b d" }
outputs.y = { dtype = "T", shape = "b t d", layout = " like  x " }
grad = "none"
sharding = "replicate"
kernels = ["cpu"]
""",
    "a formula over shapes that all go by one case": """
[ops.f]
doc = "An op."
inputs.x = { dtype = "T", shape = { "T == f32" = "m n", else = "n" } }
outputs.y = { dtype = "T", shape = { "T == f32" = "m n", else = "n" } }
inputs.size = { dtype = "T", shape = "m", differentiable = false }
grad.formulas = { x = "dy" }
sharding = "replicate"
kernels = ["cpu"]
""",
}
FOUND["a descriptor without a field"] = """
[ops.f]
doc = "An op."
inputs.x = { dtype = "f32", shape = "" }
outputs.y = { dtype = "f32", shape = "" }
grad = "none"
sharding = "replicate"
kernels = ["cpu"]
"""
FOUND["a default of two numbers"] = """
[ops.f]
doc = "An op."
inputs.x = { dtype = "f32", shape = "" }
attrs.by = { type = "complex", default = [1, -0.5] }
outputs.y = { dtype = "f32", shape = "" }
grad = "none"
sharding = "replicate"
kernels = ["cpu"]
"""
REFUSED = {
    "an op without inputs": (
        """
[ops.f]
doc = "An op."
attrs.n = { type = "int" }
outputs.y = { dtype = "f32", shape = "n" }
grad = "none"
sharding = "replicate"
kernels = ["cpu"]
""",
        "`f` has no input that says where it runs",
    ),
    "a string that is repeated": (
        """
[ops.f]
doc = "An op."
inputs.x = { dtype = "T", shape = "n" }
outputs.y = { dtype = "T", shape = "n" }
require = ["'a'*1500000000 == 'b'"]
grad.formulas = { x = "dy" }
sharding = "replicate"
kernels = ["cpu"]
""",
        "`*` takes a number, not a str",
    ),
}
HEAD = 'spec = 1\n[dtypes]\nT = ["f32", "f64"]\n'


@pytest.mark.parametrize("what", FOUND)
def test_what_mutants_found_is_rendered(project: Config, what: str) -> None:
    files = run(HEAD + FOUND[what], project)
    assert files is not None and not any("lambda ," in text for text in files.values())


@pytest.mark.parametrize("what", REFUSED)
def test_what_mutants_found_is_refused(
    project: Config, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, message = REFUSED[what]
    spec = tmp_path / "mutant.toml"
    spec.write_text(HEAD + text)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert main(["render", str(spec), "--out", str(tmp_path / "out")]) == 1
    assert message in capsys.readouterr().out
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


def test_a_backward_that_lacks_an_attr_of_its_forward(project: Config) -> None:
    document = read((ROOT / "specs/varlen_attention.toml").read_text())
    del document["ops"]["varlen_attention_bwd"]["attrs"]["max_q"]
    assert run(toml(document), project) is not None


def syntax_errors(files: dict[str, str], folder: Path) -> str:
    """Return a C++ compiler's errors in the headers of a family, which need no framework."""
    names = [path[4:] for path in files if re.fullmatch(r"cpp/\w+\.h", path)]
    for name in names:
        (folder / name).write_text(files[f"cpp/{name}"])
    (folder / "all.cpp").write_text("".join(f'#include "{n}"\n' for n in names))
    command = ["c++", "-std=c++17", "-fsyntax-only", "-I", str(include_dir()), "-I", str(folder)]
    done = subprocess.run([*command, str(folder / "all.cpp")], capture_output=True, text=True)
    return done.stderr if done.returncode else ""


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
def test_headers_compile(project: Config, tmp_path: Path) -> None:
    found = [run(HEAD + FOUND["a descriptor without a field"], project)]
    seeds = itertools.count(SEED)
    while len(found) <= COMPILED:
        files = run(mutant(next(seeds)), project)
        found += [files] if files is not None else []
    assert not [said for files in found if (said := syntax_errors(files or {}, tmp_path))]
