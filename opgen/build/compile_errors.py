"""Report a failed build: the compiler's first errors, and advice from opgen."""

from __future__ import annotations

import re
from pathlib import Path

from opgen.build.machine import NO_COMPILER

ERROR = r"\b(error|undefined reference|CMake Error)\b"
ERRORS_SHOWN = 5
LINE_SHOWN = 300

# Patterns for compiler errors that common mistakes in kernels cause, with advice. `{namespace}`
# stands for the project's namespace.
_HINTS = {
    # The kernel is outside of any namespace, or in a wrong namespace.
    r"[‘'](cpu|cuda)[’'] has not been declared"
    r"|undeclared identifier '(cpu|cuda)'"
    r"|[‘']\w+View[’'] does not name a type|unknown type name '\w+View'"
    r"|no template named '\w+View'": (
        "kernels are functions in `namespace {namespace}::cpu`, and `{namespace}::cuda` in .cu files"
    ),
    r"[‘'](?P<op>\w+)[’'] is not a member of [‘'](?P<space>\w+::(?:cpu|cuda))[’']"
    r"|no member named '(?P<op_>\w+)' in namespace '(?P<space_>\w+::(?:cpu|cuda))'": (
        "the kernel is a function template called `{op}` in `namespace {space}`"
    ),
    r"void value not ignored|cannot initialize return object of type 'opgen::Status'.*'void'"
    r"|no return statement in function returning non-void|does not return a value": (
        "a kernel returns `opgen::Status`: end it with `return opgen::Status::ok;`"
    ),
    r"no matching function for call to [‘'](?:\w+::)*(?P<op>\w+)\((?:\w+::)*(?P<view>\w+View)\b": (
        "the kernel `{op}` takes one argument, `const {view}<T>&`: `opgen scaffold` writes the"
        " signature of a kernel that has no source yet"
    ),
    r"invalid initialization of reference of type [‘']const (?:\w+::)*(?P<view>\w+View)<": (
        "a kernel is a template, compiled for each dtype: `template <class T>`, `const {view}<T>&`"
    ),
    r"fatal error: '?(?P<file>[\w./]+\.(?:cpp|cc|cxx|cu))'?(?:: No such file| file not found)": (
        "the kernel's source {file} is gone: run `opgen render`, or create it again"
        " with `opgen scaffold`"
    ),
    r"^(?P<place>\S+:\d+:\d+): note: to match this [‘']{[’']": (
        "a brace is missing in a kernel: the one that opens at {place} is never closed"
    ),
}
# GCC assumes that an undeclared kernel returns nothing, and reports this as a second error.
_UNDECLARED = r"is not a member of [‘']\w+::(cpu|cuda)[’']|[‘'](cpu|cuda)[’'] has not been declared"


def explain(output: str, log: Path, namespace: str) -> str:
    """Return the first errors in CMake's or a compiler's output, with advice and the log's path."""
    if "No CMAKE_CXX_COMPILER could be found" in output:
        return NO_COMPILER
    if re.search(_UNDECLARED, output):
        output = "".join(t for t in output.splitlines(True) if "void value not ignored" not in t)
    errors = lines(output, ERROR) or output.splitlines()[-ERRORS_SHOWN:]
    advice = []
    for pattern, hint in _HINTS.items():
        if (match := re.search(pattern, output, re.M)) is not None:
            found = {name.rstrip("_"): text for name, text in match.groupdict().items() if text}
            advice.append(hint.format(namespace=namespace, **found))
    if re.search(r"\[-Werror(?!=return-type)", output):
        advice.append("warnings are errors because OPGEN_WERROR is set")
    return "\n".join(["the build failed:", *errors, *advice, f"the whole output is in {log}"])


def lines(output: str, pattern: str) -> list[str]:
    """Return the first lines of `output` that match `pattern`.

    CMake's messages are returned with the next line, which contains their text. Errors that differ
    only in the dtype of the compiled kernel are returned once.
    """
    every = output.splitlines()
    found: dict[str, str] = {}
    for n, line in enumerate(every):
        if re.search(pattern, line):
            found.setdefault(_alike(line), line[:LINE_SHOWN])
            if line.startswith("CMake "):
                about = next((text for text in every[n + 1 :] if text.strip()), "")
                found.setdefault(about, about[:LINE_SHOWN])
    return list(found.values())[:ERRORS_SHOWN]


def _alike(line: str) -> str:
    """Return an error line without template arguments and without positions in rendered files.

    The results are equal for the same error in a kernel that is compiled for different dtypes.
    """
    line, count = re.sub(r"(_(?:cpu|cuda|hip)\.(?:cpp|cu)):\d+:\d+:", r"\1:", line), 1
    while count:
        line, count = re.subn(r"<[^<>]*>", "", line)
    return line
