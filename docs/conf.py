"""The site: `make docs` builds it into build/docs.

The pages of this folder are its sources. Four folders are written before each build:

* `rules/`: a page for each rule, the text of `opgen explain`
* `cpp/`: the comments of the headers
* `ops/`: the catalogue, which `opgen render --target docs` writes, with the figures of
  bench/figures.json
* `project/`: pages that the repository has elsewhere
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT))

from docutils import nodes  # noqa: E402

from bench.figures import measured_with, project_of  # noqa: E402
from bench.figures_page import with_figures  # noqa: E402
from opgen import __version__  # noqa: E402
from opgen.build.runtime_files import include_dir  # noqa: E402
from opgen.docs.cpp_api import cpp_api  # noqa: E402
from opgen.docs.rule_pages import ORPHAN, rule_pages  # noqa: E402
from opgen.ir.project import Project  # noqa: E402
from opgen.lint.registry import MODULES  # noqa: E402
from opgen.output.render import render  # noqa: E402

project = "opgen"
author = "the opgen authors"
copyright = "the opgen authors, Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx_design", "sphinx_copybutton"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Blocks without a language are terminals and tables; "toml FILE" names the file of an excerpt.
highlight_language = "text"
nitpicky = True
exclude_patterns = ["_static"]

html_theme = "furo"
html_title = f"opgen {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(DOCS / "search_scorer.js")
# llms.txt leads to the pages as they were written.
html_copy_source = True
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f766e", "color-brand-content": "#0f766e"},
    "dark_css_variables": {"color-brand-primary": "#2dd4bf", "color-brand-content": "#2dd4bf"},
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
# Addresses of other sites are not asked for.
linkcheck_ignore = [r"https?://"]

# Address of files that are not pages; without it they are named, not linked.
SOURCE = os.environ.get("OPGEN_SOURCE_URL", "").rstrip("/")
# Pages of other folders, and where they are in the site.
ELSEWHERE = {
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "examples/language/README.md": "project/language-examples.md",
    "examples/llama/README.md": "project/llama.md",
}
# A rule's source leads to its page.
RULES = {"opgen/lint/rules": "rules/index.md"} | {
    Path(module.__file__).relative_to(ROOT).as_posix(): f"rules/{module.RULE.id}.md"
    for module in MODULES
}
RULE_IDS = {Path(name).stem for name in rule_pages()}
ORIGINS = {place: origin for origin, place in ELSEWHERE.items()}
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
# A block of a file: its language, and the file's name.
EXCERPT = re.compile(r"^```(\w+) ([^\n`]+)\n")
LINK = re.compile(r"(\[[^]]*\])\(([^)\s]+)\)")
# A rule's number in running text; code, links and headings are matched first, and left as they are.
RULE = re.compile(r"`[^`]*`|\[[^]]*\]\([^)]*\)|^#.*$|\b(OG\d{3})\b", re.MULTILINE)


def relinked(text: str, place: str) -> str:
    """Return a page's text, with links to files of the repository replaced by links to pages of the
    site.

    The number of a rule becomes a link to its page. A code block shows the name of its file above
    it.
    """
    folder = (ROOT / ORIGINS.get(place, f"docs/{place}")).parent

    def link(match: re.Match[str]) -> str:
        label, target = match.groups()
        path, _, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match[0]
        file = Path(os.path.normpath(folder / path))
        if not file.exists():  # a page that is written here, or none: then Sphinx warns of it
            return match[0]
        name = file.relative_to(ROOT).as_posix()
        page = (ELSEWHERE | RULES).get(name)
        if DOCS in file.parents:
            page = file.relative_to(DOCS).as_posix()
        if page:
            address = os.path.relpath(page, Path(place).parent)
            return f"{label}({address}{'#' if anchor else ''}{anchor})"
        return f"{label}({SOURCE}/{name})" if SOURCE else label[1:-1]

    def rule(match: re.Match[str]) -> str:
        if match[1] not in RULE_IDS or place.startswith("rules/"):
            return match[0]
        return f"[{match[1]}]({os.path.relpath(f'rules/{match[1]}.md', Path(place).parent)})"

    def part(text: str) -> str:
        if text.startswith("```"):
            return EXCERPT.sub(
                lambda m: f"```{{code-block}} {m[1]}\n:caption: {in_project(m[2])}\n\n", text
            )
        return RULE.sub(rule, LINK.sub(link, text))

    return "".join(map(part, FENCE.split(text)))


def in_project(name: str) -> str:
    """Return the name of a file relative to its own project, if it is one of this repository's
    projects.
    """
    file = ROOT / name
    roots = (folder for folder in file.parents if (folder / "pyproject.toml").is_file())
    return file.relative_to(next(roots, ROOT)).as_posix()


def catalogue(project: Project) -> dict[str, str]:
    """Return the pages that the target `docs` renders, by file name."""
    return {Path(file.path).name: file.text for file in render(project, ["docs"])[:-1]}


def write_pages() -> None:
    """Write the pages that come from other folders, and remove old ones."""
    pages = {f"rules/{name}": text for name, text in rule_pages().items()}
    pages |= {place: (ROOT / origin).read_text() for origin, place in ELSEWHERE.items()}
    ops = project_of()[1]
    measured = with_figures(catalogue(ops), measured_with(ops))
    pages |= {f"ops/{name.replace('_index', 'index')}": text for name, text in measured.items()}
    # Listed in their index, not in the sidebar of every page.
    pages |= {p: ORPHAN + text for p, text in pages.items() if re.match(r"ops/(?!index)", p)}
    pages["cpp/index.md"] = cpp_api(include_dir())
    for folder in ("rules", "ops", "project", "cpp"):
        for old in (DOCS / folder).glob("*"):
            if f"{folder}/{old.name}" not in pages:
                shutil.rmtree(old) if old.is_dir() else old.unlink()
    for name, text in pages.items():
        file = DOCS / name
        file.parent.mkdir(exist_ok=True)
        if not file.exists() or file.read_text() != text:
            file.write_text(text)


def write_index_for_models(app, failure: Exception | None) -> None:
    """Write `llms.txt`: each page of the sidebar, its source in Markdown and its first sentence."""
    if failure or app.builder.format != "html":
        return
    parts = ["# opgen", f"> {first_sentence(app.env, 'index')}"]
    listed = re.findall(r"^:caption: (.*)\n\n((?:.+\n)*)", (DOCS / "index.md").read_text(), re.M)
    for caption, entries in listed:
        rows = []
        for entry in entries.replace("```", "").split():
            for name in with_folded(app.env, entry):
                title = app.env.titles[name].astext()
                sentence = first_sentence(app.env, name)
                rows.append(f"- [{title}](_sources/{name}.md.txt): {sentence}")
        parts.append(f"## {caption}\n\n" + "\n".join(rows))
    (Path(app.outdir) / "llms.txt").write_text("\n\n".join(parts) + "\n")


def with_folded(env, name: str) -> Iterator[str]:
    """Yield a page of the sidebar, then the pages in its own table of contents."""
    yield name
    for below in env.toctree_includes.get(name, ()):
        yield from with_folded(env, below)


def first_sentence(env, name: str) -> str:
    """Return the first sentence of a page's first paragraph outside tables; the title if there is
    none.
    """
    paragraphs = env.get_doctree(name).findall(nodes.paragraph)
    first = next((p for p in paragraphs if isinstance(p.parent, nodes.section)), env.titles[name])
    return re.split(r"(?<=[.!?])\s", " ".join(first.astext().split()))[0].rstrip(":")


def name_landmarks(app, failure: Exception | None) -> None:
    """Give names to the theme's two asides, so that screen readers can distinguish them."""
    if failure or app.builder.format != "html":
        return
    for file in Path(app.outdir).rglob("*.html"):
        text = file.read_text()
        for kind, name in (("sidebar-drawer", "Pages"), ("toc-drawer", "This page")):
            text = text.replace(
                f'<aside class="{kind}', f'<aside aria-label="{name}" class="{kind}'
            )
        file.write_text(text)


def setup(app) -> dict[str, bool]:
    write_pages()

    def read(app, name: str, source: list[str]) -> None:
        source[0] = relinked(source[0], f"{name}.md")

    def accessible(app, page, template, context, tree) -> None:
        """Give headings of the sidebar a level, and make scrolling parts reachable by keyboard."""
        navigation = context.get("furo_navigation_tree", "")
        leveled = navigation.replace('role="heading"', 'role="heading" aria-level="2"')
        context["furo_navigation_tree"] = leveled
        body = context.get("body", "").replace("<pre>", '<pre tabindex="0">')
        table = '<div class="table-wrapper'
        context["body"] = body.replace(table, f'<div tabindex="0"{table.removeprefix("<div")}')

    app.connect("source-read", read)
    app.connect("html-page-context", accessible, priority=900)
    app.connect("build-finished", write_index_for_models)
    app.connect("build-finished", name_landmarks)
    return {"parallel_read_safe": True}
