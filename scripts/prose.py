"""Check the prose of all pages and docstrings: `python scripts/prose.py [FILE ...]`.

Reports sentences of more than `LONGEST` words, words that the project does not use, and docstrings
that begin with a relative word. Vale is not used, because it downloads its program at the first
run.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHECKED = (
    *("*.py", "*.md", "docs/**/*.md", "examples/**/*.md"),
    *(f"{folder}/**/*.py" for folder in ("bench", "docs", "examples", "opgen", "runtime")),
    *(f"{folder}/**/*.py" for folder in ("scripts", "specs", "tests")),
)
# Pages that are generated from other sources or copied from them.
WRITTEN = ("docs/cpp", "docs/ops", "docs/project", "docs/rules", "tests/cases")
LONGEST = 25
# Words that the project no longer uses, and their plain replacements.
PLAIN = {
    r"mends?|mended": "fix",
    r"begun": "created, or started",
    r"anew": "again",
    r"beside": "next to",
    r"attains?": "reaches",
    r"(?:that|which) (?:is|are) there": "existing",
    r"(?<!there )is no(?= (?!\w+er\b|more\b|less\b)[a-z])": "is not a",
    r"(?<!there )are no(?= (?!\w+er\b|more\b|less\b)[a-z])": "are not",
    r"knows? no": "does not know",
    r"is said": "say who says it",
    r"not to be had": "not available",
    r"of (?:its|their|one's) own(?! [a-z])": "own",
    r"so many": "a number",
}
RELATIVE = ("What", "Whether", "That", "Those", "As", "Where", "Which", "Whose")
_BLANKED = re.compile(r"[^\n]")
_INDENTED = re.compile(r"^    .*$", re.MULTILINE)
_CODE = re.compile(r"`+[^`]+`+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r"(?<=[.!?])[)*\"]*\s+|(?<=;)\s|\n\s*\n|\n *(?=[*|>#-] ?)|(?<= )\|(?= )")
_WORD = re.compile(r"[\w'’-]+(?:[.,]\d+)*")


def main(names: Sequence[str]) -> int:
    """Print the faults of the given files, by default of all; return 1 if there are any."""
    files = [Path(name) for name in names] or checked()
    found = [f"{_shown(file)}:{line}: {fault}" for file in files for line, fault in check(file)]
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


def checked() -> list[Path]:
    """Return all files to check, in order."""
    left_out = [ROOT / name for name in WRITTEN]
    found = {file for pattern in CHECKED for file in ROOT.glob(pattern)}
    return sorted(f for f in found if not any(f.is_relative_to(each) for each in left_out))


def check(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the faults of a page, or of a module's docstrings, with their lines."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        yield from faults(_prose(text))
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring:
                line = getattr(node, "lineno", 0) + 1
                yield from ((line, fault) for _, fault in faults(_INDENTED.sub("", docstring)))
                if docstring.split()[0] in RELATIVE:
                    yield line, f"a docstring begins with `{docstring.split()[0]}`"


def faults(prose: str) -> Iterator[tuple[int, str]]:
    """Yield the faults of plain text, with their lines."""
    at = 0
    for sentence in _SENTENCE.split(prose):
        at = prose.index(sentence, at)
        line = prose.count("\n", 0, at + len(sentence) - len(sentence.lstrip())) + 1
        plain = _LINK.sub(r"\1", _CODE.sub("code", sentence))
        count = len(_WORD.findall(plain))
        if count > LONGEST:
            yield line, f"a sentence of {count} words: {' '.join(plain.split())[:60]}..."
        for pattern, better in PLAIN.items():
            for match in re.finditer(rf"\b(?:{pattern})\b", plain, re.I):
                yield line, f"`{match[0]}`: write {better}"
        at += len(sentence)


def _prose(text: str) -> str:
    """Blank out front matter, code blocks and markup of a page; line numbers stay the same."""
    if text.startswith("---\n"):
        end = text.index("\n---\n", 4) + 5
        text = _BLANKED.sub(" ", text[:end]) + text[end:]
    for fence in ("```", "~~~"):
        text = re.sub(
            rf"^{fence}[^\n]*\n.*?^{fence}$",
            lambda m: _BLANKED.sub(" ", m[0]),
            text,
            flags=re.M | re.S,
        )
    return re.sub(r"^:.*$", "", text, flags=re.M)


def _shown(file: Path) -> Path:
    return file.relative_to(ROOT) if file.is_relative_to(ROOT) else file


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
