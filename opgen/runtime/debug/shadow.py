"""Compare some calls of a program with the reference ("shadow" these calls).

This environment variable sets the share of calls to compare for each op:

    OPGEN_SHADOW="rms_norm:0.01,*:0.001"

If a call differs from the reference, opgen logs a warning and writes the call to a file for
`opgen replay`. For each kind of error, it reports the first, second, fourth call and so on, and
each call with a larger error than before. Errors in this module never reach the program. The
package reads the variable at import, and imports this module only if the variable is set.
"""

from __future__ import annotations

import importlib.metadata
import itertools
import logging
import math
import os
import platform
import threading
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from opgen.source.user_cache import cache_folder

from ..core.project import FOLDER, PACKAGE, core_op, references
from ..core.references import Reference
from ..core.runtime import DTYPES
from .expected import Engine, departures
from .replay_file import Record, Value, write
from .tolerance import Departure

REFERENCES = {name: Reference(**facts) for name, facts in references().items()}
FILES, BYTES = 16, 1 << 30  # the default limits of the folder with replay files
GUARD = 256  # bytes before and after the memory that a kernel writes
CANARY = 0xA5
log = logging.getLogger(f"{PACKAGE}.shadow")


def shares(text: str) -> dict[str, float]:
    """Parse `OPGEN_SHADOW`. Return the share of calls for each op name, or `*` for all other ops.

    Raises ValueError for a malformed text.
    """
    found = {}
    for entry in filter(None, map(str.strip, text.split(","))):
        op, _, share = entry.partition(":")
        try:
            number = float(share)
        except ValueError:
            number = -1.0
        if not op.strip() or not 0 <= number <= 1:
            raise ValueError(
                f"OPGEN_SHADOW: expected OP:SHARE, with a share from 0 to 1, as in "
                f"`rms_norm:0.01,*:0.001`, got {entry!r}"
            )
        found[op.strip()] = number
    return found


class Sampler:
    """A random choice of the calls of an op that are compared. Call this object to decide whether
    the next call of the op is compared.

    The choice is the same in each run of a program, but differs between ranks (`RANK`). It is
    random because a model calls its layers in turn, so every n-th call would miss some layers.
    """

    def __init__(self, op: str, share: float) -> None:
        self._limit = int(share * 2**32)
        self._seed = f"{op} {os.environ.get('RANK', '0')} ".encode()
        self._numbers = itertools.count()

    def __call__(self) -> bool:
        number = next(self._numbers)  # atomic, because several threads may call
        if self._limit >= 2**32:
            return True
        return self._limit > 0 and zlib.crc32(b"%s%d" % (self._seed, number)) < self._limit


def sampler(op: str) -> Sampler | None:
    """Return the sampler of `op`. Return None if `OPGEN_SHADOW` requests no calls of the op, or the
    op has no reference.
    """
    share = SHARES.get(op, SHARES.get("*", 0.0))
    if op not in REFERENCES or (share == 0 and not REPLAYING):
        return None
    return Sampler(op, share)


def number_of(name: str, default: int) -> int:
    """Return a limit from an environment variable. Raises ValueError if it is not a number."""
    text = os.environ.get(name, "")
    if text and not text.isdecimal():
        raise ValueError(f"{name}: expected a whole number, got {text!r}")
    return int(text) if text else default


def _folder() -> Path:
    """Return the output folder: the configured folder, or a folder that only the user can read."""
    named = os.environ.get("OPGEN_SHADOW_DIR")
    if named:
        folder = Path(named)
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    cache = cache_folder()
    if cache is None:
        raise OSError("the user's cache folder is not the user's alone: set OPGEN_SHADOW_DIR")
    folder = cache / "replay"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


class Result:
    """The outcome of a call: its results, and the problems found, such as writes outside the
    results.
    """

    def __init__(
        self, values: Mapping[str, Value], overwritten: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.values, self.overwritten = values, overwritten


def findings(engine: Engine, record: Record, result: Result) -> list[tuple[str, str, Any]]:
    """Compare a call with its reference. Return the differences, the worst first.

    Each difference is a tuple: the kind of error, its location, and the `Departure` or None.
    """
    found: list[tuple[str, str, Any]] = [(*each, None) for each in result.overwritten]
    op = core_op(record.op)
    wrong = departures(
        engine,
        REFERENCES[record.op],
        op,
        record.inputs,
        record.attrs,
        result.values,
        record.wanted,
    )
    for name, departure in wrong:
        kind = "is not finite, as its reference is, at" if departure.is_nan else "departs at"
        found.append((kind, name, departure))
    return found


def examine(engine: Engine, record: Record, result: Result) -> None:
    """Compare a call with its reference, then write and report the worst error. Never raises."""
    op = record.op
    try:
        found = findings(engine, record, result)
        _count(op)
        for kind, name, departure in found[:1]:
            _report(record, kind, name, departure)
    except Exception as error:  # the program must continue
        once((op, "unchecked"), f"{op} on {record.platform}: a call was not checked: {error!r}")


def told(kind: str, name: str, departure: Departure | None) -> str:
    """Return a finding as a sentence."""
    if departure is None:
        return f"{kind} {name}"
    place = f"[{', '.join(map(str, departure.at))}]" if departure.at else ""
    return (
        f"{kind} {name}{place}: expected {departure.expected:.9g}, got {departure.got:.9g}, "
        f"off by {departure.error:.3g}, allowed is {departure.allowed:.3g}"
    )


def _report(record: Record, kind: str, name: str, departure: Departure | None) -> None:
    factor = departure.error / departure.allowed if departure and departure.allowed else math.inf
    with _LOCK:
        count, worst = _SEEN.get((record.op, record.platform, kind, name), (0, 0.0))
        _SEEN[record.op, record.platform, kind, name] = count + 1, max(worst, factor)
    if count & (count + 1) and not factor > worst:
        return
    text = told(kind, name, departure) + f"; {count + 1} such calls so far" * (count > 0)
    op = record.op
    try:
        made = Record(
            **{**vars(record), "finding": text, "versions": versions(), "spec": _spec(op)}
        )
        folder = _folder()
        path = write(
            folder,
            f"{PACKAGE}-{op}-{os.getpid()}",
            made,
            files=number_of("OPGEN_SHADOW_FILES", FILES),
            limit=number_of("OPGEN_SHADOW_BYTES", BYTES),
        )
        kept = f"the call is kept: `opgen replay {path}`"
    except Exception as error:
        kept = f"the call could not be kept: {error}"
    log.warning("%s on %s %s; %s", op, record.platform, text, kept)


def once(key: Any, text: str) -> None:
    """Log a text as a warning, unless a text with the same key has been logged before."""
    with _LOCK:
        if key in _SAID:
            return
        _SAID.add(key)
    log.warning("%s", text)


def versions() -> dict[str, str]:
    """Return the versions of all software that may affect a call."""
    found = {"python": platform.python_version(), "machine": platform.machine()}
    for name in ("numpy", "torch", "jax", "jaxlib"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _spec(op: str) -> str:
    """Return the spec that the package was rendered from, if the package includes it."""
    module = REFERENCES[op].module
    for path in (FOLDER / "reference").glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        if f"[ops.{op}]" in text or (path.stem == module and op in text):
            return text
    return ""


def captured(dtype: str) -> bool:
    """Return whether a tensor of this dtype can be stored: its elements must be whole bytes."""
    return DTYPES[dtype].bits >= 8


def apart(function: Callable[[], None]) -> None:
    """Run `function` in a new thread, in which the caller's modes, transforms and autocast do not
    apply.
    """
    thread = threading.Thread(target=function, name="opgen shadow")
    try:
        thread.start()
    except RuntimeError as error:  # no thread may start: the limit is reached, or the program ends
        once("thread", f"a call was not checked: {error}")
        return
    thread.join()


def checked() -> dict[str, int]:
    """Return the number of calls compared in this process, by op."""
    with _LOCK:
        return dict(_CHECKED)


def _count(op: str) -> None:
    with _LOCK:
        _CHECKED[op] = _CHECKED.get(op, 0) + 1


_LOCK = threading.Lock()
_SAID: set[Any] = set()
# For each op, platform, kind of error and location: the number of errors, and the largest ratio of
# an error to the allowed error.
_SEEN: dict[Any, tuple[int, float]] = {}
_CHECKED: dict[str, int] = {}
SHARES = shares(os.environ.get("OPGEN_SHADOW", ""))
REPLAYING = os.environ.get("OPGEN_SHADOW") == "*:0"
for _name in SHARES:
    if _name != "*" and not hasattr(import_module(f"{PACKAGE}.core"), _name):
        log.warning("OPGEN_SHADOW: %s has no op %s", PACKAGE, _name)
