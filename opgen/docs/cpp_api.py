"""The reference page for the C++ headers, rendered from the `///` comments in the headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

# The headers that kernels include, grouped by purpose. All other headers are internal to opgen.
HEADERS = {
    "Every kernel": ("kernel", "buffer", "context", "status", "dtype", "half", "narrow_types"),
    "On the CPU": (
        *("rows", "vector", "exp", "activations", "gated", "softmax", "matmul", "row_sum"),
        *("inverted_index", "stream", "multiply_add", "divisor"),
    ),
    "Random numbers": ("philox",),
    "On CUDA": (
        *("cuda", "cuda_elementwise", "cuda_pack", "cuda_rows", "cuda_softmax", "cuda_matmul"),
        *("cuda_activations", "cuda_gated", "cuda_scatter", "cuda_sort", "cuda_strided_rows"),
    ),
}
_ENTRY = re.compile(
    r"^(?P<doc>(?:[ ]*///[^\n]*\n)+)(?P<code>(?:[ ]*[^\s/#}][^\n]*\n)+)", re.MULTILINE
)
_OWNER = re.compile(r"^(?:struct|class) (\w+)", re.M)
_HEAD = re.compile(r"\A((?://[^\n]*\n)+)")


def cpp_api(include: Path) -> str:
    """Return the reference page, in Markdown, for the headers in the folder `include`."""
    lines = [
        "# C++ headers",
        "",
        "Each header with its documented functions and types, from the comments in the source.",
        "[The C++ API](../cpp-api.md) shows them in use.",
        "",
    ]
    for title, names in HEADERS.items():
        lines += [f"## {title}", ""]
        for name in names:
            lines += _header(name, (include / "opgen" / f"{name}.h").read_text(encoding="utf-8"))
    return "\n".join(lines)


def _header(name: str, text: str) -> Iterator[str]:
    head = _HEAD.match(text)
    yield f"### `opgen/{name}.h`"
    yield ""
    if head:
        yield _words(head[1], "//")
        yield ""
    owner = ""
    for entry in _ENTRY.finditer(text):
        if entry["code"].startswith(" ") and owner:
            yield f"In `{owner}`:"
            yield ""
        elif found := _OWNER.search(entry["code"]):
            owner = found[1]
        yield "```cpp"
        yield from _declaration(entry["code"])
        yield "```"
        yield ""
        yield _words(entry["doc"], "///")
        yield ""


def _declaration(code: str) -> list[str]:
    """Return the lines of the first declaration in `code`. The body of a function is left out."""
    lines = code.rstrip().splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    found = []
    for line in (line[indent:] for line in lines):
        found.append(line.split(" //")[0].rstrip())
        if re.search(r"[;{]\s*$|\{.*\}\s*;?$", found[-1]):
            break
    found[-1] = re.sub(r"\s*(?::\s.*)?\{.*$", "", found[-1]) or found[-1]
    return found


def _words(comment: str, marker: str) -> str:
    """Return the lines of a comment as one paragraph, without the comment marker."""
    lines = (line.strip().removeprefix(marker).strip() for line in comment.splitlines())
    parts = " ".join(filter(None, lines)).split("`")
    parts[::2] = (part.replace("<", "&lt;") for part in parts[::2])  # not in code
    return "`".join(parts)
