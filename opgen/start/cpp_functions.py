"""Find the functions that a C or C++ file declares, and read their signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from opgen.source.frozen import dataclass

_STRING = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'"""
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
_MARK = re.compile(rf"{_STRING}|[(){{}};]")
_BRACKET = re.compile(rf"{_STRING}|[(<{{\[)>}}\],]")
# Words before a function's result type that do not affect its arguments and results.
_SPECIFIER = re.compile(
    r"\b(?:static|inline|extern|constexpr|consteval|virtual|explicit|friend|__(?:global|device|host"
    r"|forceinline|noinline|inline)__)\b"
    r'|"C(?:\+\+)?"|\[\[.*?\]\]|\b(?:public|private|protected)\s*:(?!:)'
    r"|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|__launch_bounds__\s*\([^()]*\)",
    re.S,
)
_MACRO = re.compile(r"^\s*(?:[A-Z][A-Z0-9_]*\s*\([^()]*\)\s*)+(?=[\w:])")
_FUNCTION = re.compile(
    r"([\w:<>,\s&*]*?[\s&*>])((?:\w+(?:<(?:[^<>()]|<[^<>()]*>)*>)?\s*::\s*)*\w+)\s*\((.*)", re.S
)
_AFTER = re.compile(
    r"(?:\s|&|\b(?:const|volatile|override|final|try)\b|\bnoexcept\b(?:\s*\([^()]*\))?"
    r"|=\s*(?:0|default|delete)\b)*(?:->\s*([\w:<>,\s&*]+))?"
)
_STATEMENT = re.compile(
    r"\s*(?:return|co_return|else|new|delete|throw|case|goto|using|typedef|do)\b"
)
_NO_NAMES = frozenset(
    "if for while switch catch return sizeof alignof alignas decltype noexcept requires "
    "static_assert operator".split()
)
_SCOPE = re.compile(
    r"(?P<inline>inline\s+)?namespace\b\s*(?P<space>[\w:]*)$"
    r"|(?:class|struct|union)\s+(?:\w+\s+)*?(?P<own>\w+(?:::\w+)*)(?:<.*>)?"
    r"\s*(?:\bfinal\s*)?(?::[^:].*)?$",
    re.S,
)


@dataclass(frozen=True)
class Function:
    """The declaration of a function, with the function's body if the file contains it.

    `types` are the parameters of the function's template. `local` is True for a declaration inside
    the body of another function.
    """

    parts: Sequence[str]
    returned: str
    parameters: Sequence[str]
    types: Sequence[str]
    kernel: bool
    local: bool = False
    body: str = ""

    @property
    def name(self) -> str:
        """Return the function's name with its namespaces and classes."""
        return "::".join(self.parts)

    @property
    def names(self) -> list[str]:
        """Return the names of the parameters: the last word of each parameter's declaration."""
        return [
            (re.findall(r"\w+", each.partition("=")[0]) or [""])[-1] for each in self.parameters
        ]

    def is_called(self, name: str) -> bool:
        """Return True if `name` is the function's name. Outer namespaces may be left out."""
        asked = name.split("::")
        return list(self.parts[-len(asked) :]) == asked


def functions(text: str) -> list[Function]:
    """Return the functions of a file, those that are declared outside of function bodies first.

    Text in a function body that looks like a declaration counts as a local function.
    """
    return sorted(_declarations(_bare(text)), key=lambda each: each.local)


def _bare(text: str) -> str:
    """Return the text without comments and preprocessor directives."""
    return _DIRECTIVE.sub(" ", _COMMENT.sub(lambda match: match[1] or " ", text))


def _declarations(text: str) -> Iterator[Function]:
    # One item for each enclosing block: the namespaces or classes that it adds to names. The item
    # is an empty tuple for an anonymous block, and None for a function body.
    around: list[tuple[str, ...] | None] = []
    begin = depth = 0
    for mark in _MARK.finditer(text):
        if mark[0] in "()":
            depth = max(0, depth + (1 if mark[0] == "(" else -1))
        if depth or mark[0] not in "{};":
            continue
        head, begin = text[begin : mark.start()].strip(), mark.end()
        function = None if mark[0] == "}" else _function(head, around)
        if function is not None:
            yield (
                replace(function, body=until_closed(text[begin:], "{}"))
                if mark[0] == "{"
                else function
            )
        if mark[0] == "{":
            around.append(None if function else _scope(head))
        elif mark[0] == "}" and around:
            around.pop()


def until_closed(text: str, pair: str = "()") -> str:
    """Return the text before the bracket that closes an already open one of this `pair`."""
    depth = 1
    for mark in re.finditer(rf"{_STRING}|[{pair}]", text):
        depth += (mark[0] == pair[0]) - (mark[0] == pair[1])
        if depth == 0:
            return text[: mark.start()]
    return text


def _scope(head: str) -> tuple[str, ...] | None:
    """Return the namespaces or classes that a block's `head` names, or None for other blocks."""
    if re.fullmatch(r'extern\s*"C(?:\+\+)?"', head):
        return ()
    match = _SCOPE.match(re.sub(r"\[\[.*?\]\]", "", _template(head)[1]).strip())
    if match is None:
        return None
    if match["own"]:
        return tuple(match["own"].split("::"))
    return () if match["inline"] or not match["space"] else tuple(match["space"].split("::"))


def _function(head: str, around: Sequence[tuple[str, ...] | None]) -> Function | None:
    """Return the function that `head` declares, or None. `head` ends before a `;` or a block."""
    types, rest = _template(_MACRO.sub("", head))
    match = _FUNCTION.fullmatch(" " + _SPECIFIER.sub(" ", rest))
    if match is None or not match[1].strip() or _STATEMENT.match(match[1]):
        return None
    inside = until_closed(match[3])
    after = _AFTER.fullmatch(match[3][len(inside) + 1 :])
    written = re.sub(r"<.*?>|\s", "", match[2]).split("::")
    if after is None or written[-1] in _NO_NAMES:
        return None
    return Function(
        [*(name for names in around for name in names or ()), *written],
        " ".join((after[1] or match[1]).split()),
        [each for each in split(inside) if each.strip() != "void"],
        types,
        kernel="__global__" in rest,
        local=None in around,
    )


def _template(head: str) -> tuple[list[str], str]:
    """Return the parameters of a template at the start of `head`, and the text after it."""
    types: list[str] = []
    while (begin := re.match(r"\s*template\s*<", head)) is not None:
        parameters = until_closed(head[begin.end() :], "<>")
        types += re.findall(r"(?:typename|class)\s+(\w+)", parameters)
        head = head[begin.end() + len(parameters) + 1 :]
    return types, head


def split(parameters: str) -> Iterator[str]:
    """Yield the parts of a parameter list, split at the commas outside brackets."""
    depth, begin = 0, 0
    for mark in _BRACKET.finditer(parameters):
        depth += (mark[0] in "(<{[") - (mark[0] in ")>}]")
        if mark[0] == "," and depth == 0:
            yield parameters[begin : mark.start()]
            begin = mark.end()
    if parameters[begin:].strip():
        yield parameters[begin:]
