"""Make hostile calls of a kernel, and check that no call shows a fault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import prod

import numpy as np

from opgen.ir.op import Op
from opgen.testing.apart import Crashed, Note, apart, crashes
from opgen.testing.arrays import flat, named
from opgen.testing.draw import draw
from opgen.testing.environment import Case
from opgen.testing.hostile import entry, guarantees
from opgen.testing.hostile.edges import edge_cases
from opgen.testing.hostile.guarantees import Fault
from opgen.testing.hostile.limits import Limits
from opgen.testing.hostile.poisoned_call import FAR, MOVED, Attempt, Called, call, has_far_rows
from opgen.testing.op_under_test import OpUnderTest

# CALLS: the number of calls that a leak check makes. For each size, glibc counts up to 7 free
# pieces of memory as used. LEAST: the smallest piece in bytes. FEW: the largest input, in elements,
# of a leak check.
CALLS, LEAST, FEW = 16, 32, 2**11


def conformance(subject: OpUnderTest) -> None:
    """Check that `faults` finds nothing in any edge case, for each CPU kernel of the op.

    The kernel runs in a forked copy of this process, since it may crash.
    """

    cases = [*edge_cases(subject.op)]

    def noted(of: str, note: Note) -> Iterator[Case]:
        for case in cases:
            note(f"{of}{case}")
            yield case

    def work(note: Note) -> list[str]:
        found = []
        for each in _kernels(subject):
            of = "" if each.kernel is None else f"{each.kernel}: "
            for case, (check, text) in examined(each, noted(of, note)):
                found.append(f"{of}{case}: {check}: {text}")
        return found

    try:
        found = apart(work)
    except Crashed as crash:
        crashes(subject.project.package, subject.name, str(crash))
        raise AssertionError(f"{subject.name}: the kernel was {crash}") from None
    assert not found, f"{subject.name}: {len(found)} faults, the first:\n" + "\n".join(found[:8])


def _kernels(subject: OpUnderTest) -> list[OpUnderTest]:
    """Return a copy of `subject` for each of the op's CPU kernels."""
    kernels = entry.cpu_kernels(subject.op)
    if not any(kernel.listed for kernel in kernels):
        return [subject]
    return [replace(subject, kernel=kernel.name) for kernel in kernels]


def examined(subject: OpUnderTest, cases: Iterable[Case]) -> Iterator[tuple[Case, Fault]]:
    """Yield each fault that the calls of a case show, together with the case.

    Small cases are also checked for leaked memory, until every size of every dim has been covered.
    All remaining cases skip this check, because counting the allocated memory can take 10 ms or more.
    """
    seen: set[object] = set()
    for case in cases:
        new = {*case.sizes} - seen
        watched = bool(new) and prod(case.numbers) <= FEW
        seen |= new if watched else set()
        for fault in faults(subject, case, watched=watched):
            yield case, fault


def faults(subject: OpUnderTest, case: Case, watched: bool) -> Iterator[Fault]:
    """Yield the faults in the calls of one case. With `watched`, also look for leaked memory."""
    if not entry.takes(subject, case):
        return
    plain = Attempt(subject, case)
    arrays = draw(subject.op, case)
    first = call(plain, arrays)
    yield from _memory_faults(subject, first)
    if first.status != 0:
        return
    if watched and all(a is None or a.size <= FEW for a in flat(arrays)):
        for _ in range(2):  # the first calls may fill glibc's caches, which looks like a leak
            kept = call(plain, arrays, CALLS).ran.grown
            if kept < LEAST * CALLS // 2:
                break
        else:
            yield "leak", f"{CALLS} calls keep {kept} bytes"
    second = call(replace(plain, setting=MOVED), arrays)
    yield from _memory_faults(subject, second)
    if second.status != 0:
        return
    lengths = _lengths(subject.op, first)
    yield from _unwritten(subject.op, first, second, lengths)
    promised = entry.cpu_kernel(subject).guarantees
    if subject.reference is not None and subject.name not in subject.project.residual_readers:
        limits = Limits(subject, case, arrays)
        right = "exact" if promised.exact else "values"
        for check, called in ((right, first), ("moved", second)):
            wrong = [*wrong_results(subject, limits, called)]
            yield from ((check, text) for text in wrong)
            if wrong:
                return
        if has_far_rows(plain, arrays):
            with suppress(OSError):  # the system may be unable to reserve that many addresses
                third = call(replace(plain, setting=FAR), arrays)
                yield from (("far", text) for text in wrong_results(subject, limits, third))
    if promised.deterministic:
        yield from guarantees.same_bits(subject, first, second)
    yield from guarantees.invariance(subject, case, arrays, first)


def _memory_faults(subject: OpUnderTest, called: Called) -> Iterator[Fault]:
    """Yield all faults of a call except wrong results, for example writes outside of a tensor."""
    if called.status != 0:
        yield "status", f"the entry returns {called.status}"
    for tensor, memory, before in zip(subject.op.tensors, called.memory, called.before):
        for one, old in zip(flat([memory]), flat([before])):
            if one is None:
                continue
            if (places := one.overwritten()).size:
                yield "canary", f"bytes around {tensor.name} were written, at {places[:4].tolist()}"
            if tensor.role == "input" and not tensor.update:
                if ((one.whole != old) & ~one.outside).any():
                    yield "inputs", f"{tensor.name} was written"
    if places := called.ran.around:
        yield "canary", f"bytes around the workspace were written, at {[*places[:4]]}"
    if not called.ran.sound:
        yield "arithmetic", "the thread rounds otherwise afterwards, or flushes subnormal numbers"


def _unwritten(op: Op, first: Called, second: Called, filled: dict[str, int]) -> Iterator[Fault]:
    """Yield the results with elements that still hold poison after both calls."""
    for tensor, *both in zip(op.tensors, first.memory, second.memory):
        if tensor.role in ("output", "residual") and tensor.init is None:
            for one, other in zip(*(flat([m]) for m in both)):
                if one is None:
                    continue
                left = np.atleast_1d(one.unwritten() & other.unwritten())
                left = left[: filled.get(tensor.name)]
                if left.any():
                    yield "written", f"{tensor.name} was not written at {_some(left)}"


def _lengths(op: Op, called: Called) -> dict[str, int]:
    """Return the actual length of each result that has a `length` key."""
    arrays = {t.name: m for t, m in zip(op.tensors, called.memory)}
    return {t.name: int(arrays[t.length].array) for t in op.outputs if t.length}


def wrong_results(subject: OpUnderTest, limits: Limits, called: Called) -> Iterator[str]:
    """Describe each result that differs from the reference."""
    got = guarantees.results(subject, called)
    for name, y, wanted in named(subject.op.results, got, limits.exact):
        if wanted is not None and (text := limits.beyond(name, y, wanted)):
            yield text


def _some(mask: np.ndarray) -> object:
    return np.argwhere(mask)[:4].tolist()
