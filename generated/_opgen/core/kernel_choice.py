"""Kernel choice for ops whose specs list several kernels.

A program can force one of the listed kernels, add kernels from other libraries, and require
guarantees, such as determinism.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar

from .project import GUARANTEES, LISTED, NAMESPACE, PACKAGE
from .runtime import Launch

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)

REFERENCE = "reference"
# Numbers with a special meaning for the C functions of the kernel library: `opgen::Kernels`.
_NUMBERS = {REFERENCE: -1, None: -2, "missing": -3}
# The guarantees that calls may require, with their bits in the C functions of the kernel library.
_BITS = {"deterministic": 1, "invariant": 2, "exact": 4}

# The required guarantees, the forced kernel by op, and the kernels that other packages have added,
# by op and platform.
_asked: list[str] = []
_forced: dict[str, str] = {}
_added: dict[tuple[str, str], list[str]] = {}
_libraries: list[ctypes.CDLL] = []
# The context managers of frameworks that `kernels` enters. Each receives the required guarantees
# and the forced kernels as text. JAX, for example, then compiles its programs again.
around: list[Callable[[str], contextlib.AbstractContextManager[None]]] = []


def bound(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a call to `function` by name, including defaults."""
    found = inspect.signature(function).bind(*args, **kwargs)
    found.apply_defaults()
    return found.arguments


def asked(function: Callable[..., Any], **answers: Callable[[Mapping[str, Any]], Any]) -> Any:
    """Add methods to an op's function. Each answers a question about a call, from its arguments."""

    def method(answer: Callable[[Mapping[str, Any]], Any]) -> Callable[..., Any]:
        return lambda *args, **kwargs: answer(bound(function, args, kwargs))

    for name, answer in answers.items():
        setattr(function, name, method(answer))
    return function


class Which(NamedTuple):
    """The kernel that runs a call, and the reason why each of the `others` does not run it.

    `kernel` is None if no kernel accepts the call.
    """

    kernel: str | None
    others: dict[str, str]


class Listed(Protocol[P, R_co]):
    """The type of an op's function if the op's spec lists several kernels."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...

    def kernels(self, *guarantees: str) -> dict[str, tuple[str, ...]]:
        """Return the kernels by platform, in order of preference, with added kernels first.

        Only kernels with all of the given guarantees are returned: `deterministic`, `invariant`,
        `exact`.
        """

    def which(self, *args: P.args, **kwargs: P.kwargs) -> Which:
        """Return the kernel that runs a call: the forced kernel, or the first whose requirements
        are met.
        """

    def tuned(self, *args: P.args, **kwargs: P.kwargs) -> dict[str, int]:
        """Return the tuned values that this call's kernel receives; {} if the kernel has none."""


def is_listed(op: str, platform: str) -> bool:
    """Return whether the spec of an op lists its kernels for a platform."""
    return platform in LISTED.get(op, ())


def names_of(op: str) -> dict[str, tuple[str, ...]]:
    """Return the names of an op's kernels for each platform, in order of preference.

    Added kernels come first. If the op's reference may run when no kernel accepts a call, the key
    `else` maps to `("reference",)`.
    """
    listed = LISTED[op].items()
    return {p: (*reversed(_added.get((op, p), ())), *names) for p, names in listed}


def kernels_of(op: str, *guarantees: str) -> dict[str, tuple[str, ...]]:
    """Return, for each platform, the kernels of an op that have all these guarantees.

    The reference is included if it may run. Raises ValueError for an unknown guarantee.
    """
    _check_asked(guarantees)
    kept = {
        platform: tuple(n for n in names if not _lacking(op, platform, n, guarantees))
        for platform, names in names_of(op).items()
    }
    return {platform: names for platform, names in kept.items() if names}


def _lacking(op: str, platform: str, name: str, guarantees: Iterable[str]) -> list[str]:
    """Return those of `guarantees` that a kernel does not have.

    The reference has only the guarantee `deterministic`, which holds if the framework's own
    operations are deterministic.
    """
    kept = GUARANTEES.get(op, {}).get(platform, {}).get(name, ())
    kept = ("deterministic",) if name == REFERENCE else _kept_by_added.get((op, name), kept)
    return [each for each in guarantees if each not in kept]


def wanted_of(op: str, platform: str, also: Iterable[str] = ()) -> list[str]:
    """Return those required guarantees that at least one kernel of the op has on this platform.
    Guarantees are required by the program or in `also`.
    """
    kept = {each for names in GUARANTEES.get(op, {}).get(platform, {}).values() for each in names}
    return [each for each in dict.fromkeys((*_asked, *also)) if each in kept]


def reference_serves(op: str, platform: str, also: Iterable[str] = ()) -> bool:
    """Return whether the reference has all guarantees that a call to the op requires."""
    return not _lacking(op, platform, REFERENCE, wanted_of(op, platform, also))


def forced(op: str) -> str | None:
    """Return the kernel that all calls to an op must use, or None if each call chooses a kernel."""
    return _forced.get(op)


def unmet(
    op: str, platform: str, launch: Launch[Any] | None, also: Iterable[str] = ()
) -> dict[str, list[str]]:
    """Return, for each kernel in the spec for `platform`, the requirements that a call does not
    meet.

    `launch` has the arguments of the kernels; it is None if no kernel has requirements. `also`
    lists guarantees that this call requires in addition to the global ones.
    """
    wanted = wanted_of(op, platform, also) if forced(op) is None else []
    found = {}
    for name in LISTED[op].get(platform, ()):
        lacks = _lacking(op, platform, name, wanted)
        found[name] = [f"that {' and '.join(lacks)} is not asked for"] if lacks else []
        found[name] += [] if launch is None else launch.unmet(f"{platform}.{name}")
    return found


def which(op: str, platform: str, launch: Launch[Any] | None, also: Iterable[str] = ()) -> Which:
    """Return the kernel that runs this call, and the reason why each other kernel does not run it.

    An added kernel accepts or rejects each call only at run time. So this function returns an added
    kernel only if that kernel is forced.
    """
    lacking = unmet(op, platform, launch, also)
    own = {name: f"requires {' and '.join(texts)}" for name, texts in lacking.items() if texts}
    names = [name for _, each in names_of(op).items() for name in each]
    only = forced(op)
    if only is not None and only in (*lacking, REFERENCE, *_added.get((op, platform), ())):
        others = {name: f"`{only}` is forced" for name in (*lacking, REFERENCE) if name in names}
        others |= {only: own[only]} if only in own else {}
        if only not in own:
            others.pop(only, None)
        return Which(None if only in own else only, others)
    taken = next((name for name in lacking if name not in own), None)
    if REFERENCE in names and not reference_serves(op, platform, also):
        wanted = _lacking(op, platform, REFERENCE, wanted_of(op, platform, also))
        own[REFERENCE] = f"requires that {' and '.join(wanted)} is not asked for"
    taken = taken or (REFERENCE if REFERENCE in names and REFERENCE not in own else None)
    others = dict(own)
    for name in (*lacking, *([REFERENCE] if REFERENCE in names else [])):
        if name not in own and name != taken:
            others[name] = f"`{taken}` comes first"
    added = _added.get((op, platform), ())
    return Which(taken, dict.fromkeys(added, "is asked when the call is made") | others)


@contextlib.contextmanager
def kernels(*guarantees: str, **forced: str) -> Iterator[None]:
    """Require guarantees of kernels, and force kernels, inside a `with` block.

    The guarantees are `deterministic`, `invariant` and `exact`. A keyword argument `op=kernel`
    forces all calls of this op to use the kernel. Raises ValueError for an unknown name.
    """
    _check_asked(guarantees)
    for op, kernel in forced.items():
        _check(op, kernel)
    before, now = dict(_forced), {**_forced, **forced}
    asked_before, asked = list(_asked), list(dict.fromkeys((*_asked, *guarantees)))
    with contextlib.ExitStack() as stack:
        stack.callback(_force, before, asked_before)
        text = ";".join([*asked, *(f"{op}={kernel}" for op, kernel in now.items())])
        for context in around:
            stack.enter_context(context(text))
        _force(now, asked)
        yield


def add_kernel(op: str, name: str, library: str | Path, symbol: str, platform: str = "cpu") -> None:
    """Add a kernel from another library to an op. Calls try the added kernel before all others.

    `symbol` names an `opgen::AddedKernel` that the library exports. The library must be compiled
    with the op's header from this package. `name` must start with the kernel's package, as in
    `acme.rms_norm_avx`. Raises ValueError if the op's spec does not list kernels, the name is in
    use, or the library was compiled for a different layout.
    """
    if op not in LISTED or platform not in LISTED[op]:
        raise ValueError(f"{op} has no list of kernels for {platform}: {_lists()}")
    if "." not in name or any(name in each for each in names_of(op).values()):
        raise ValueError(
            f"{op}: {name}: expected a name that is not taken and begins with a package, as "
            f"`acme.{op}_fast`"
        )
    if not _libraries:
        raise ValueError(f"{op}: import {PACKAGE}.torch or .jax before a kernel is added")
    loaded = ctypes.CDLL(os.fspath(library))
    try:
        kernel = _AddedKernel.in_dll(loaded, symbol)
    except ValueError:
        raise ValueError(f"{op}: {library} exports no `{symbol}`") from None
    called = ctypes.create_string_buffer(name.encode())
    number = entry(op, platform, "add")(ctypes.byref(kernel), called)
    if number == -1:
        raise ValueError(
            f"{op}: {library} was compiled for another layout of this op: compile it with the "
            f"headers of this {NAMESPACE}"
        )
    if number < 0:
        raise ValueError(f"{op}: more kernels were added than there is room for")
    _kept.append((loaded, called))
    _added.setdefault((op, platform), []).append(name)
    _kept_by_added[op, name] = tuple(n for n, bit in _BITS.items() if kernel.guarantees & bit)
    _force(dict(_forced), list(_asked))


class _AddedKernel(ctypes.Structure):
    """The C++ struct `opgen::AddedKernel`."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("layout", "takes", "run")),
        ("guarantees", ctypes.c_uint32),
    ]


_kept_by_added: dict[tuple[str, str], tuple[str, ...]] = {}
# The libraries and names of added kernels. They must stay alive, because the entries hold their
# addresses.
_kept: list[tuple[ctypes.CDLL, ctypes.Array[ctypes.c_char]]] = []


def attach(library: ctypes.CDLL) -> None:
    """Attach a library that exports the C functions for choosing kernels.

    The first such library also applies the environment variable `OPGEN_KERNELS`. Raises ImportError
    if the variable names an unknown op or kernel.
    """
    if not _libraries:
        _libraries.append(library)
        try:
            _force(*_wanted(os.environ.get("OPGEN_KERNELS", "")))
        except ValueError as error:
            _libraries.clear()
            raise ImportError(f"OPGEN_KERNELS: {error}") from None


def compiled_for(op: str, platform: str, arch: int | None) -> bool:
    """Return whether the op's ahead-of-time kernels include code for a device of architecture
    `arch`.

    Return True if this is unknown, because no library is loaded or `arch` is None.
    """
    if arch is None or not _libraries:
        return True
    found = entry(op, platform, "compiled_for", needed=False)
    return found is not None and bool(found(arch))


def _wanted(text: str) -> tuple[dict[str, str], list[str]]:
    """Parse the value of `OPGEN_KERNELS`. Return the forced kernels by op, and the guarantees.

    An example is `rms_norm=reference;acme.rms_norm=acme.fast;deterministic`. Entries for ops of
    other namespaces are ignored.
    """
    found: dict[str, str] = {}
    asked = []
    for item in filter(None, map(str.strip, text.split(";"))):
        op, equals, kernel = (part.strip() for part in item.partition("="))
        if item in _BITS:
            asked.append(item)
            continue
        namespace, _, op = op.rpartition(".")
        if namespace not in ("", NAMESPACE):
            continue
        if not equals:
            raise ValueError(f"`{item}`: expected `op=kernel`, or {', '.join(_BITS)}")
        if op not in LISTED or "." not in kernel:  # other kernels may be added later
            _check(op, kernel)
        if found.setdefault(op, kernel) != kernel:
            raise ValueError(f"`{item}`: {op} is to run `{found[op]}` too, and runs one kernel")
    return found, asked


def _check_asked(guarantees: Iterable[str]) -> None:
    for name in guarantees:
        if name not in _BITS:
            raise ValueError(f"`{name}` is nothing that kernels guarantee: {', '.join(_BITS)} are")


def _check(op: str, kernel: str) -> None:
    if op not in LISTED:
        raise ValueError(f"{op} has no list of kernels: {_lists()}")
    names = dict.fromkeys(name for each in names_of(op).values() for name in each)
    if kernel not in names:
        hint = ""
        if kernel == REFERENCE:
            hint = '; its reference runs only where the spec has `"reference"` in `kernels`'
        raise ValueError(f"{op} has no kernel `{kernel}`, it has {', '.join(names)}{hint}")


def _lists() -> str:
    return f"those with one are {', '.join(LISTED)}" if LISTED else "no op has one"


def _force(wanted: Mapping[str, str], asked: Sequence[str]) -> None:
    """Force the kernel that `wanted` names for each op. For ops without a forced kernel, require
    the guarantees `asked`.
    """
    _forced.clear()
    _forced.update(wanted)
    _asked[:] = asked
    for op, platforms in LISTED.items():
        kernel = wanted.get(op)
        known = {name for each in names_of(op).values() for name in each}
        for platform, names in platforms.items():
            if platform != "else" and _libraries:
                number = _number(kernel, names, _added.get((op, platform), ()), known)
                force = entry(op, platform, "force", needed=False)
                if force is not None:
                    force(number)
                if platform in GUARANTEES.get(op, {}):
                    if ask := entry(op, platform, "ask", needed=False):
                        ask(sum(_BITS[name] for name in asked))


def _number(kernel: str | None, names: Sequence[str], added: Sequence[str], known: set[str]) -> int:
    """Return the number that identifies a kernel in C++: its index, or a negative number for
    special cases.

    If only another platform has the kernel, return the number for "no forced kernel".
    """
    places = {name: n for n, name in enumerate((*names, *added))}
    if kernel in places:
        return places[kernel]
    if kernel not in _NUMBERS:
        return _NUMBERS[None if kernel in known else "missing"]
    return _NUMBERS[kernel]


def entry(op: str, platform: str, what: str, *, needed: bool = True) -> Any:
    """Return the C function `<namespace>_<op>_<platform>_<what>` of the attached library.

    If the library lacks the function, raise ValueError, or return None if `needed` is False.
    """
    symbol = f"{NAMESPACE}_{op}_{platform}_{what}"
    found = getattr(_libraries[0], symbol, None)
    if found is None and needed:
        raise ValueError(f"{op} has no kernels for {platform} in the libraries that were built")
    return found
