"""The pages of the language: every key and every rule is on them, and their pictures are those of the specs."""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from opgen.lint.registry import MODULES
from opgen.spec.models.document import MODELS

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import draw_dims  # noqa: E402

DOCS = ROOT / "docs"
INDEX = DOCS / "spec-language.md"
PAGES = [INDEX, *sorted((DOCS / "language").glob("*.md"))]
# On which page the keys of a table are.
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
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
IMAGE = re.compile(r"!\[(.*?)\]\((.*?)\)", re.DOTALL)
PICTURES = draw_dims.pictures()


@cache
def code(page: Path) -> set[str]:
    """The words of a page that are in code: in blocks, tables, sentences."""
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


def test_every_rule_of_the_language_is_on_a_page() -> None:
    """The rules of Neuron are on the page of that platform."""
    text = "".join(page.read_text() for page in PAGES)
    rules = {module.RULE.id for module in MODULES if not module.RULE.id.startswith("OG8")}
    assert len(rules) > 100 and rules - {*re.findall(r"OG\d{3}", text)} == set()


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
