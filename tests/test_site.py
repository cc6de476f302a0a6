"""The site builds without warnings, and its search answers the first questions of kernel authors."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("sphinx")
pytestmark = pytest.mark.slow  # builds 200 pages

ROOT = Path(__file__).parents[1]
SEARCH = Path(__file__).with_name("site_search.js")
# Questions and the page that answers each. They were written before the search was tried.
QUESTIONS = {
    "how do I install opgen": "index",
    "how do I bring a CUDA kernel": "tutorials/cuda-kernel",
    "how do I save a tensor for the backward": "tutorials/backward",
    "the second gradient is wrong": "howto/second-order",
    "why is there an all-gather": "tutorials/sharding",
    "how do I get scratch memory": "language/kernels",
    "how do I update a tensor in place": "howto/in-place",
    "which kernel ran": "howto/which-kernel",
    "what does OG503 mean": "rules/OG503",
    "how do I measure an op": "benchmarks",
    "how do I make a wheel": "packaging",
    "which versions of PyTorch were run": "compatibility",
    "does it run on Windows": "questions",
    "schema for my editor": "editor",
    "gallery of small ops": "gallery",
    "C++ API of kernels": "cpp-api",
}


@pytest.fixture(scope="module")
def site() -> Path:
    """Build the site of `make docs` if a page changed, and return its folder."""
    out = ROOT / "build" / "docs"
    build = [sys.executable, "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-n", "-q"]
    done = subprocess.run(
        [*build, "-d", "build/docs-cache", "docs", str(out)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return out


@pytest.fixture(scope="module")
def answers(site: Path) -> dict[str, list[str]]:
    """Return the pages that the site's search finds for each question, best first."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("the search runs in node, which is not here")
    done = subprocess.run(
        [node, str(SEARCH), str(site)],
        input=json.dumps([*QUESTIONS]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(QUESTIONS, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_by_one_of_two_results(
    question: str, answers: dict[str, list[str]]
) -> None:
    found = [result.split("#")[0] for result in answers[question][:2]]
    assert QUESTIONS[question] in found, answers[question][:6]


def test_the_index_for_models_leads_to_each_page_of_the_sidebar(site: Path) -> None:
    text = (site / "llms.txt").read_text()
    rows = re.findall(r"^- \[(.+)\]\((\S+)\): \S", text, re.MULTILINE)
    assert len(rows) >= 25 and len(rows) == text.count("\n- ")
    assert [file for _, file in rows if not (site / file).is_file()] == []


class Page(HTMLParser):
    """The anchors of a page, and the addresses of its links and images."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.addresses: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.addresses.add(value)


def test_addresses_within_the_site_are_there(site: Path) -> None:
    """All addresses within the site exist.

    This includes those that Sphinx does not check, such as pictures, cards, the sidebar and HTML in
    pages.
    """
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for address in page.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            places = pages[target].places if target in pages else set()
            if not target.exists() or parts.fragment and unquote(parts.fragment) not in places:
                broken.append(f"{path.relative_to(site)}: {address}")
    assert len(pages) > 200 and broken == []
