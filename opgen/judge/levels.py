"""Run opgen's checks on a candidate, one test level after the other."""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from opgen.exchange import Refused
from opgen.ir.nodes import Requirement
from opgen.ir.op import Op
from opgen.ir.project import Project
from opgen.judge import LEVELS, errors, gradients, speed
from opgen.judge.candidate import (
    Candidate,
    NotBuilt,
    compiled,
    judged,
    own_kernels,
    symbol_of,
    without_residuals,
)
from opgen.judge.process import SHARED, Failed, Process
from opgen.judge.solution import Solution, narrowed, trace
from opgen.judge.verdict import Error, Level, Outcome, Speed, Verdict
from opgen.judge.worker import Limits as ProcessLimits
from opgen.judge.worker import Start
from opgen.testing import special_values
from opgen.testing.cases import cases
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.hostile import examined, guarantees
from opgen.testing.hostile.checks import wrong_results
from opgen.testing.hostile.edges import edge_cases, filled
from opgen.testing.hostile.entry import cpu_kernel, takes
from opgen.testing.hostile.limits import Limits
from opgen.testing.hostile.poisoned_call import MOVED, PLAIN, Attempt, call
from opgen.testing.op_under_test import OpUnderTest

# The level that a fault of a hostile call belongs to, by the check that found the fault. Cases of
# odd sizes have their own level.
LEVEL = {
    "status": "shapes",
    **dict.fromkeys(("values", "exact"), "values"),
    **dict.fromkeys(("canary", "inputs", "arithmetic", "leak", "written", "moved"), "memory"),
    "far": "odd sizes",
    **dict.fromkeys(("deterministic", "invariant"), "determinism"),
}
# For each input, the number of elements of unusual size to try, one at a time.
MAGNITUDES = 8


def magnitudes(dtype: np.dtype) -> dict[str, float]:
    """Return random numbers with absolute values from 1/10,000 to 10,000, by their descriptions."""
    sizes = 10.0 ** np.random.default_rng().uniform(-4, 4, MAGNITUDES)
    signs = np.random.default_rng().choice([-1, 1], MAGNITUDES)
    return {f"a number of size {size:.2g}": s * size for size, s in zip(sizes, signs)}


@dataclass
class Judge:
    """The checks of a candidate for an op, and the findings by level."""

    # The op, and the candidate for it.
    subject: OpUnderTest
    candidate: Candidate
    # The project folder, and the folder of its kernels.
    root: Path
    kernels: Path
    # The limits of a process that runs the candidate.
    limits: ProcessLimits = field(default_factory=ProcessLimits)
    # The last test level to run.
    last: str = "speed"
    # The requirements on calls that the candidate adds.
    require: tuple[Requirement, ...] = ()
    # The fault of each failed level, and the reason of each level that was not run.
    found: dict[str, str] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    # The levels whose checks are complete.
    done: set[str] = field(default_factory=set)
    # True if the candidate's bits may differ between runs.
    loose: bool = False
    # The sources and arguments of a candidate that is a Solution.
    solution: Solution | None = None
    # The errors of the first call, and the call that was timed.
    error: Error | None = None
    timed: Case | None = None
    # The op with the candidate as its only kernel, and the file that the candidate's process loads.
    op: Op = field(init=False)
    path: Path = field(init=False)

    def verdict(self) -> Verdict:
        """Run all requested levels, and return the verdict.

        Raises `Refused` if the candidate cannot be judged.
        """
        op = self.op = self.subject.op
        if op.reference is None:
            raise Refused(
                f"{op.name} has no reference of its own: judge the op whose gradient it is"
            )
        if self.candidate.kind in ("python", "solution"):
            op = without_residuals(op)
        self.subject = replace(self.subject, op=judged(op, self.require))
        timed: Speed | None = None
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="opgen-judge-")))
            try:
                timed = self._run(folder, stack)
            except Failed as failed:
                self._note(failed.level, failed.text)
            except NotBuilt as error:
                self._note("builds", str(error))
        return self._verdict(timed)

    def _run(self, folder: Path, stack: ExitStack) -> Speed | None:
        self.path, kind = self.candidate.path, self.candidate.kind
        if kind == "source":
            self.path = compiled(self.op, self.subject.project, self.path, self.kernels, folder)
        elif self.solution is not None:
            self.path = self.solution.built(folder)
        process = self._process(self.path, self.candidate.name, kind, stack)
        self.done.add("builds")
        promised = cpu_kernel(self.subject).guarantees
        kernel = replace(cpu_kernel(self.subject), guarantees=replace(promised, deterministic=True))
        self.subject = replace(
            self.subject, op=replace(self.subject.op, kernels=(kernel,)), caller=process
        )
        edges = edge_cases(self.subject.op)
        taken = [case for case in edges if takes(self.subject, case)]
        these = {*cases(self.subject.op)}
        plain = [case for case in taken if case in these and filled(case)] or taken[:8]
        if not plain:
            raise Refused(f"no tested call of {self.subject.name} fits `require`: add a sample")
        self._hostile(plain, odd=False, promised=promised.deterministic)
        self.error = errors.largest(self.subject, plain[0])
        self.done |= {"shapes", "values", "memory"}
        if self._reaches("odd sizes"):
            odd = [case for case in taken if case not in plain]
            self._hostile(odd, odd=True, promised=promised.deterministic)
            self.done |= {"odd sizes", "determinism", "threads"}
        if self._reaches("threads") and (case := speed.timed_case(self.subject)) is not None:
            if fault := speed.together(self.subject, case, process):
                self._note("threads", fault)
        if self._reaches("special values"):
            self._special()
        if self._reaches("gradients"):
            self._gradients()
        if not self._reaches("speed") or self.found:
            return None
        return self._speed(process, plain, folder, stack)

    def _process(
        self, path: Path, name: str, kind: str, stack: ExitStack, whole: Op | None = None
    ) -> Process:
        project, op = self.subject.project, whole or self.subject.op
        families = tuple(
            replace(f, ops=tuple(op if o.name == op.name else o for o in f.ops))
            for f in project.families
        )
        start = Start(
            replace(project, families=families),
            op.name,
            str(path),
            name,
            kind,
            symbol_of(op, project),
            self.solution if kind == "solution" else None,
            SHARED,
            self.limits,
        )
        process = Process(start, self.root)
        stack.callback(process.close)
        return process

    def _reaches(self, level: str) -> bool:
        return LEVELS.index(level) <= LEVELS.index(self.last)

    def _note(self, level: str, text: str) -> None:
        self.found.setdefault(level, text)

    def _hostile(self, these: list[Case], *, odd: bool, promised: bool) -> None:
        """Run the checks of memory, sizes and guarantees on the cases in `these`.

        `odd` is true if the cases have odd sizes. `promised` is true if the spec declares the op
        deterministic.
        """
        now: list[Case] = []

        def noted() -> Iterator[Case]:
            for case in these:
                now[:] = [case]
                yield case

        try:
            for case, (check, text) in examined(self.subject, noted()):
                level = LEVEL[check]
                if check in ("values", "exact"):
                    text += errors.narrower(self.subject, case)
                if odd and (level in ("shapes", "values") or check == "written"):
                    level = "odd sizes"
                if check == "moved":
                    level = self._moved(case)
                if check == "deterministic" and not promised and self._repeats(case):
                    self.loose = True
                    continue
                self._note(level, f"{case}: {text}")
        except Failed as failed:
            level = "odd sizes" if odd and failed.level == "shapes" else failed.level
            raise Failed(level, f"{now[0]}: {failed.text}") from None

    def _moved(self, case: Case) -> str:
        """Return the level that fails if a call with other addresses and threads has a fault.

        The function repeats the call on one thread. The level is "memory" if the fault occurs
        again, or else "threads".
        """
        arrays = draw(self.subject.op, case)
        called = call(Attempt(self.subject, case, replace(MOVED, threads=1)), arrays)
        limits = Limits(self.subject, case, arrays)
        return "memory" if any(wrong_results(self.subject, limits, called)) else "threads"

    def _repeats(self, case: Case) -> bool:
        arrays = draw(self.subject.op, case)
        two = (call(Attempt(self.subject, case), arrays) for _ in range(2))
        return not any(guarantees.same_bits(self.subject, *two))

    def _special(self) -> None:
        """Check the results for inputs with one special value each, such as a NaN."""
        subject, op = self.subject, self.subject.op
        for case in special_values.special_cases(op):
            if not takes(subject, case):
                continue
            arrays = draw(op, case)
            special = special_values.planted(op, arrays, special_values.specials)
            usual = special_values.planted(op, arrays, magnitudes)
            for what, arrays in (*special, *usual):
                try:
                    called = call(Attempt(subject, case), arrays)
                    got = guarantees.results(subject, called)
                    special_values.compare(subject, case, what, arrays, got)
                    if what.startswith("a number") and special_values.fits(subject, case, arrays):
                        limits = Limits(subject, case, arrays)
                        for text in wrong_results(subject, limits, called):
                            raise AssertionError(f"{what}: {text}")
                except AssertionError as error:
                    self._note("special values", f"{case}: {error}")
                except Failed as failed:
                    level = "special values" if failed.level == "shapes" else failed.level
                    raise Failed(level, f"{case}: {what}: {failed.text}") from None
        self.done.add("special values")

    def _gradients(self) -> None:
        if not self.subject.op.backward_calls:
            self.done.add("gradients")
            self.why["gradients"] = "no kernel of a gradient reads its results"
            return
        try:
            fault = gradients.fault(self.subject)
        except gradients.Unready as reason:
            self.why["gradients"] = str(reason)
            return
        if fault:
            self._note("gradients", fault)
        self.done.add("gradients")

    def _again(self, case: Case, moved: bool) -> Iterator[str]:
        """Repeat a call, and describe wrong results.

        If `moved` is true, the tensors have other addresses and the call uses other threads.
        """
        arrays = draw(self.subject.op, case)
        called = call(Attempt(self.subject, case, MOVED if moved else PLAIN), arrays)
        yield from wrong_results(self.subject, Limits(self.subject, case, arrays), called)

    def _speed(
        self, process: Process, plain: list[Case], folder: Path, stack: ExitStack
    ) -> Speed | None:
        subject = self.subject
        case = self.timed = speed.timed_case(subject)
        if case is None:
            self.why["speed"] = "the op has no sample to time"
            return None
        own = None
        for kernel in own_kernels(self.op):
            present = replace(subject, op=self.op, kernel=kernel.name)
            if kernel.sources and takes(present, case):
                try:
                    library = compiled(self.op, subject.project, kernel, self.kernels, folder)
                except NotBuilt as error:
                    raise Refused(f"the present kernel does not compile: {error}") from None
                whole = replace(subject, op=judged(self.op, self.require))
                own = whole, self._process(library, "", "library", stack, whole.op)
                break
        # Use a new process, so that the first call shows its true cost.
        fresh = self._process(self.path, self.candidate.name, self.candidate.kind, stack)
        compiling = self.candidate.kind == "python" or (
            self.solution is not None and not self.solution.binding
        )
        timed = speed.timed(subject, case, fresh, own, compiling)
        after = replace(subject, caller=fresh)
        self.subject = after
        fault = speed.again(after, plain, self._again) or timed.fault
        if fault:
            self._note("speed", fault)
        self.done.add("speed")
        return timed.speed

    def _verdict(self, timed: Speed | None) -> Verdict:
        levels = []
        for name in LEVELS:
            if name in self.found:
                levels.append(Level(name=name, outcome="failed", found=self.found[name]))
            else:
                outcome: Outcome = "passed" if name in self.done else "not run"
                levels.append(Level(name=name, outcome=outcome, found=self.why.get(name, "")))
        passed = [level.outcome == "passed" for level in levels]
        first = passed.index(False) if False in passed else len(passed)
        kept = () if self.found or self.loose or "threads" not in self.done else ("deterministic",)
        return Verdict(
            op=self.subject.name,
            candidate=self.candidate.text,
            sha256=hashlib.sha256(self.candidate.path.read_bytes()).hexdigest(),
            credit=first,
            accepted=all(passed),
            levels=tuple(levels),
            speed=timed,
            error=self.error,
            guarantees=kept,
        )


def judge(
    project: Project,
    op: str,
    candidate: str,
    root: Path,
    kernels: Path,
    last: str = "speed",
    require: tuple[Requirement, ...] = (),
) -> Verdict:
    """Judge a candidate for an op of a project that is rendered in `root`.

    `last` is the last level to run. `require` restricts the calls. Raises `Refused` if the
    candidate cannot be judged.
    """
    sys.path.insert(0, str(root))
    subject = OpUnderTest(project.op(op), project)
    return Judge(
        subject, Candidate.of(candidate), root, kernels, last=last, require=require
    ).verdict()


def judge_solution(
    project: Project, op: str, path: Path, root: Path, kernels: Path, specs: Path, last: str
) -> tuple[Verdict, Callable[[], str]]:
    """Judge a FlashInfer-Bench Solution. Return the verdict, and a function that returns its Trace.

    Raises `Refused` if the Solution cannot be judged. The returned function raises `Refused` if no
    Trace can be written.
    """
    sys.path.insert(0, str(root))
    whole = project.op(op)
    solution = Solution.read(path)
    problem = solution.problem(whole, specs)
    solution = solution.of(problem)
    narrow, require = narrowed(whole, problem)
    subject = OpUnderTest(narrow, project)
    made = Judge(
        *(subject, Candidate.of(str(path)), root, kernels),
        last=last,
        require=require,
        solution=solution,
    )
    verdict = made.verdict()
    return verdict, lambda: trace(whole, solution, problem, verdict, made.timed)
