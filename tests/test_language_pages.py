"""The pages of the language have every key, every rule, and the current pictures of the specs."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from opgen.lint.registry import MODULES
from opgen.spec.models.document import MODELS

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import draw_dims  # noqa: E402

DOCS = ROOT / "docs"
INDEX = DOCS / "spec-language.md"
PAGES = [INDEX, *sorted((DOCS / "language").glob("*.md"))]
# By table of a spec: the page that describes its keys.
PAGE_OF = {
    "Document": "files",
    "Tensor": "tensors",
    "Attr": "attrs",
    "Draw": "modules",
    "Grad": "gradients",
    "Call": "gradients",
    "Sharding": "sharding",
    "Kernel": "kernels",
    "Triton": "kernels",
    "DescriptorField": "kernels",
    "Cost": "references",
    "JaxOptions": "modules",
    "TorchOptions": "modules",
    "Patch": "modules",
    "Replaced": "modules",
}
KEYS = [(model, key) for model, table in MODELS.items() for key in table.keys]
# Tables of an op whose entries are named by the spec, and those without keys.
NAMED = {"inputs", "outputs", "residuals", "workspace", "attrs", "descriptor"}
OWN = {"dims", "dtypes", "let", "require", "samples"}
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```\w+(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IMAGE = re.compile(r"!\[(.*?)\]\((.*?)\)", re.DOTALL)
PICTURES = draw_dims.pictures()


@cache
def code(page: Path) -> set[str]:
    """Return the words of a page that stand in code blocks, tables and inline code."""
    found = CODE.findall(page.read_text())
    return {word for text in found for word in re.findall(r"\w+", text)}


@pytest.mark.parametrize("model, key", KEYS, ids=lambda name: name)
def test_every_key_is_on_its_page(model: str, key: str) -> None:
    page = INDEX if model == "Op" else DOCS / "language" / f"{PAGE_OF[model]}.md"
    assert key in code(page), f"{page.relative_to(ROOT)} does not have `{key}`"


def test_the_index_leads_to_each_page() -> None:
    linked = {*re.findall(r"\]\(language/(\w+)\.md", INDEX.read_text())}
    sidebar = {*re.findall(r"^language/(\w+)$", INDEX.read_text(), re.MULTILINE)}
    pages = {page.stem for page in PAGES[1:]}
    assert len(pages) >= 15 and linked == sidebar == pages


@pytest.mark.parametrize(
    "page", [page for page in PAGES[1:] if page.stem != "limits"], ids=lambda page: page.stem
)
def test_a_page_begins_with_something_whole(page: Path) -> None:
    """The first block of a page is a whole op or a whole file, and no table precedes it."""
    block = BLOCK.search(page.read_text())
    assert block is not None and "\n| " not in page.read_text()[: block.start()]
    file, text = block[1], block[2].strip()
    whole = (ROOT / file).read_text() if file else text
    assert text in {whole.strip(), *map(str.strip, re.split(r"\n(?=\[)", whole))}
    assert page.stem == "modules" or "kernels" in tomllib.loads(text)["ops"].popitem()[1]


def test_every_rule_of_the_language_is_on_a_page() -> None:
    """Every rule of the language is on a page.

    The rules of Neuron are on the page of that platform.
    """
    text = "".join(page.read_text() for page in PAGES)
    rules = {module.RULE.id for module in MODULES if not module.RULE.id.startswith("OG8")}
    assert len(rules) > 100 and rules - {*re.findall(r"OG\d{3}", text)} == set()


def used(spec: dict[str, Any]) -> set[str]:
    """Return the keys that the ops of a spec use, without names that the spec defines."""
    found: set[str] = set()
    for op in (*spec["ops"].values(), *spec.get("templates", {}).values()):
        for key, value in op.items():
            found.add(key)
            if isinstance(value, dict) and key in NAMED:
                value = list(value.values())
            tables = value if isinstance(value, list) else [value]
            found |= {
                k for table in tables if isinstance(table, dict) for k in table if key not in OWN
            }
    return found & {key for _, key in KEYS}


def test_thirteen_keys_are_those_that_most_families_use() -> None:
    page = (DOCS / "language" / "thirteen.md").read_text()
    block = re.search(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    tables = page.split("## The next keys")
    first, more = (
        {
            key: int(count)
            for keys, count in re.findall(r"^\| (`.*?) \| (\d+) \|", text, re.MULTILINE)
            for key in re.findall(r"`(\w+)`", keys)
        }
        for text in tables
    )
    families = [used(tomllib.loads(path.read_text())) for path in (ROOT / "specs").glob("*.toml")]
    counts = Counter(key for family in families for key in family)
    assert block is not None and used(tomllib.loads(block[1])) == {*first} and len(first) == 13
    assert f"the {len(families)} families" in page
    half = {key: count for key, count in counts.items() if 2 * count >= len(families)}
    assert half == first | more


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_that_of_its_spec(name: str) -> None:
    file = draw_dims.FOLDER / name
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        file.write_text(PICTURES[name])
    assert file.read_text() == PICTURES[name]


def test_pictures_are_shown_and_described() -> None:
    shown = [image for page in PAGES for image in IMAGE.findall(page.read_text())]
    assert {Path(path).name for _, path in shown} == {*PICTURES, "split.svg"}
    assert {file.name for file in draw_dims.FOLDER.iterdir()} == {*PICTURES}
    assert all(len(text) > 20 for text, _ in shown)
