"""Judge Solutions of FlashInfer-Bench: read their sources, and write each verdict as a Trace.

FlashInfer-Bench's files are a Definition (an op), Solutions of it (kernels), and Traces (results).
"""

from __future__ import annotations

import json
import platform
import re
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from opgen.exchange import Refused, flashinfer
from opgen.exchange.problem import Problem, problems, workload
from opgen.ir.nodes import Requirement
from opgen.ir.op import Op
from opgen.judge import LevelName
from opgen.judge.candidate import SOURCES, link
from opgen.judge.verdict import SLOW, Error, Verdict, table
from opgen.language.expr import ParseError, parse_expr
from opgen.source.diagnostics import did_you_mean
from opgen.testing.environment import Case

# The kinds of binding that a Solution in C++ may have.
BINDINGS = ("tvm-ffi", "torch")
# The status in a Trace, by the first level that the candidate fails.
STATUS: dict[LevelName, str] = {
    "builds": "COMPILE_ERROR",
    "shapes": "RUNTIME_ERROR",
    "values": "INCORRECT_NUMERICAL",
    "memory": "RUNTIME_ERROR",
    "odd sizes": "INCORRECT_NUMERICAL",
    "special values": "INCORRECT_NUMERICAL",
    "gradients": "INCORRECT_NUMERICAL",
    "determinism": "INCORRECT_NUMERICAL",
    "threads": "RUNTIME_ERROR",
    "speed": "RUNTIME_ERROR",
}


@dataclass(frozen=True)
class Solution:
    """A function of PyTorch tensors.

    The arguments are `inputs`, then `outputs` if the function writes its results to arguments.
    `sources` maps relative paths to texts. `binding` is empty for a Solution in Python.
    """

    # The name of the Solution, and the name of the Definition that it solves.
    name: str
    definition: str
    # The sources, the file and the name of the function, and how the function is called.
    sources: Mapping[str, str]
    file: str
    function: str
    binding: str
    fills: bool
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Solution:
        """Read a Solution from a file. Raises `Refused` if the file is not a usable Solution."""
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            spec = told["spec"]
            sources = {each["path"]: each["content"] for each in told["sources"]}
            file, _, function = spec["entry_point"].partition("::")
            language, binding = spec["language"], spec.get("binding") or BINDINGS[0]
            name, definition = told["name"], told["definition"]
        except (OSError, ValueError) as error:
            raise Refused(f"{path} cannot be read: {error}") from None
        except (KeyError, TypeError, AttributeError):
            raise Refused(f"{path} is no Solution of FlashInfer-Bench") from None
        if language not in ("python", "cpp"):
            raise Refused(f"{path} is in {language}, and the judge runs kernels for CPUs only")
        if language == "cpp" and binding not in BINDINGS:
            raise Refused(f"{path} has the binding {binding}: expected {' or '.join(BINDINGS)}")
        for each in map(PurePosixPath, sources):
            if each.is_absolute() or ".." in each.parts:
                raise Refused(f"{path} has a source outside its folder: {each}")
        if file not in sources:
            raise Refused(f"{path} has no source {file}")
        fills = bool(spec.get("destination_passing_style", True))
        return cls(name, definition, sources, file, function, binding * (language == "cpp"), fills)

    def problem(self, op: Op, specs: Path) -> Problem:
        """Return the problem that the Solution solves: the op with fixed dtypes and options.

        Raises `Refused` if the op has no such problem.
        """
        found = problems(op, specs, tuple(flashinfer.DTYPES_THERE)).problems
        by_name = {each.name: each for each in found}
        # If an op was imported from a Definition, it has the Definition's name.
        if op.name == flashinfer.op_name(self.definition) and len(found) == 1:
            by_name[self.definition] = found[0]
        if self.definition not in by_name:
            near = did_you_mean(self.definition, [*by_name])
            raise Refused(f"{op.name} has no Definition {self.definition}: {near}")
        return by_name[self.definition]

    def of(self, problem: Problem) -> Solution:
        """Return a copy of the Solution with the inputs and outputs that its Definition lists."""
        inputs = tuple(v.name for v in problem.inputs)
        return replace(self, inputs=inputs, outputs=tuple(v.name for v in problem.outputs))

    def built(self, folder: Path) -> Path:
        """Write the sources. Return the built library, or the folder of Python modules.

        Raises `NotBuilt`, or `Refused` if the binding is not installed.
        """
        place = folder / "candidate"
        for name, text in self.sources.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8")
        if not self.binding:
            return place
        units = [str(place / name) for name in self.sources if Path(name).suffix in SOURCES]
        library = folder / "candidate.so"
        flags = _tvm_ffi() if self.binding == BINDINGS[0] else _torch()
        link([f"-I{place}", *units, *flags], library)
        return library


def _tvm_ffi() -> list[str]:
    if find_spec("tvm_ffi") is None:
        raise Refused("the Solution needs apache-tvm-ffi: `pip install apache-tvm-ffi`")
    from tvm_ffi import libinfo

    library = Path(libinfo.find_libtvm_ffi())
    paths = {libinfo.find_include_path(), libinfo.find_dlpack_include_path()}
    return [*(f"-I{path}" for path in paths), *_shared(library.parent, library.name)]


def _torch() -> list[str]:
    from torch.utils.cpp_extension import include_paths, library_paths

    includes = [*include_paths(), sysconfig.get_path("include")]
    names = ("libc10.so", "libtorch.so", "libtorch_cpu.so", "libtorch_python.so")
    return [
        "-DTORCH_EXTENSION_NAME=candidate",
        *(f"-I{path}" for path in includes),
        *_shared(Path(library_paths()[0]), *names),
    ]


def _shared(folder: Path, *names: str) -> list[str]:
    return [f"-L{folder}", f"-Wl,-rpath,{folder}", *(f"-l:{name}" for name in names)]


def narrowed(op: Op, problem: Problem) -> tuple[Op, tuple[Requirement, ...]]:
    """Return a pair: the op with the problem's calls as samples, and the problem's requirements."""
    samples = tuple(map(_sample, problem.cases))
    try:
        require = tuple(Requirement(parse_expr(text)) for text in problem.require)
    except ParseError:
        raise Refused(f"{problem.name} fixes an attr that no condition can compare") from None
    return replace(op, samples=samples), require


def _sample(case: Case) -> dict[str, Any]:
    values = {n: list(v) if isinstance(v, tuple) else v for n, v in (*case.sizes, *case.attrs)}
    return {**dict(case.dtypes), **values, **dict.fromkeys(case.absent, False)}


def trace(
    op: Op, solution: Solution, problem: Problem, verdict: Verdict, timed: Case | None
) -> str:
    """Return a Trace as one line of JSON, for the timed call or else for the first workload.

    Raises `Refused` if the verdict ends before the level `speed`.
    """
    status = _status(verdict)
    scalars = [v.name for v in problem.inputs if v.shape is None]
    load = problem.workloads[0] if timed is None else workload(op, timed, scalars, problem.axes)
    made: dict[str, Any] = {
        "status": status,
        "environment": {
            "hardware": platform.processor() or platform.machine(),
            "libs": {n: version(n) for n in ("opgen", "numpy", "torch") if find_spec(n)},
        },
        "timestamp": datetime.now(UTC).isoformat(),
        "log": table(verdict),
    }
    if status in ("PASSED", "INCORRECT_NUMERICAL"):
        error = verdict.error or Error(relative=None, absolute=None)
        made["correctness"] = {
            f"max_{name}_error": "NaN" if value is None else value for name, value in error
        }
    if status == "PASSED" and (speed := verdict.speed) is not None:
        own = speed.own_seconds or 0.0
        made["performance"] = {
            "latency_ms": 1e3 * speed.seconds,
            "reference_latency_ms": 1e3 * own,
            "speedup_factor": own / speed.seconds,
        }
    return json.dumps(
        {
            "definition": solution.definition,
            "workload": flashinfer.workload(problem, load),
            "solution": solution.name,
            "evaluation": made,
        }
    )


def _status(verdict: Verdict) -> str:
    failed = next((level for level in verdict.levels if level.outcome == "failed"), None)
    if failed is None and verdict.speed is None:
        raise Refused("a Trace needs the time of a candidate that no level fails")
    if failed is None or failed.found.endswith(SLOW):
        return "PASSED"
    if "no answer within" in failed.found:
        return "TIMEOUT"
    if failed.name == "shapes" and (what := re.search(r"\bhas (shape|dtype)\b", failed.found)):
        return f"INCORRECT_{what[1].upper()}"
    return STATUS[failed.name]
