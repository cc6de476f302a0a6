"""Test the layers of opgen: a module imports only from its own folder or from lower layers."""

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import opgen

ROOT = Path(opgen.__file__).parent
# The layers from the bottom up, as docs/architecture.md lists them.
LAYERS = (
    "source",
    "runtime",
    "spec",
    "language",
    "ir",
    "lint",
    "compiler",
    "targets",
    "output",
    "diff",
    "build",
    "package",
    "testing",
    "docs",
    "start",
    "bench",
    "lsp",
    "exchange",
    "judge",
    "cli",
)


def modules() -> dict[str, Path]:
    """Return the modules of opgen by name, except the runtime modules that rendering copies."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[0] == "targets" and "runtime" in parts:
            continue
        name = ".".join(("opgen", *parts)).removesuffix(".__init__")
        found[name] = path
    return found


def imports(name: str, path: Path, known: dict[str, Path]) -> Iterator[str]:
    """Yield the modules of opgen that `name` imports, even in functions or for type checking."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                if submodule in known:
                    yield submodule
                elif node.module in known:
                    yield node.module


def graph() -> dict[str, set[str]]:
    known = modules()
    return {name: set(imports(name, path, known)) - {name} for name, path in known.items()}


def upward(graph: dict[str, set[str]]) -> list[str]:
    """Return the imports that lead from a layer to a higher layer."""
    height = {layer: place for place, layer in enumerate(LAYERS)}
    found = []
    for name, below in graph.items():
        for other in below:
            a, b = (height.get(f"{n}.".split(".")[1]) for n in (name, other))
            if a is not None and b is not None and b > a:
                found.append(f"{name} imports {other}")
    return sorted(found)


def test_every_folder_is_a_layer_and_nothing_lies_beside_them():
    folders = {f.name for f in ROOT.iterdir() if f.is_dir() and f.name[0] not in "_."}
    files = {f.name for f in ROOT.iterdir() if f.is_file()}
    assert folders == {*LAYERS}
    assert files == {"__init__.py", "__main__.py", "py.typed"}


def test_a_module_imports_from_its_own_layer_or_below():
    assert upward(graph()) == []


def test_no_modules_import_each_other():
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_the_page_lists_the_layers_in_this_order():
    page = (ROOT.parent / "docs/architecture.md").read_text()
    rows = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert [row.strip("/") for row in rows[: len(LAYERS)]] == [*LAYERS]


def test_an_upward_import_and_a_cycle_are_found():
    wrong = {"opgen.source.toml": {"opgen.cli.main"}, "opgen.cli.main": set()}
    assert upward(wrong) == ["opgen.source.toml imports opgen.cli.main"]


# Layers that read a spec's content only by the typed models in `opgen.spec.models`.
TYPED = ("language", "ir", "lint", "compiler", "targets", "output", "diff")


def untyped(text: str) -> list[str]:
    """Return the code that reads a spec as plain tables: type checks, and uses of `document`."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr == "document":
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            names = {n.id for n in ast.walk(node.args[1]) if isinstance(n, ast.Name)}
            if names & {"dict", "Mapping"}:
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("layer", TYPED)
def test_tables_of_a_spec_stay_below(layer: str):
    inside = {n: p for n, p in modules().items() if n.split(".")[1:2] == [layer]}
    assert inside and not {n: f for n, p in inside.items() if (f := untyped(p.read_text()))}


def test_a_table_is_found():
    assert untyped("isinstance(x, dict | list)") and untyped("spec.document['ops']")


def parsing(text: str) -> list[str]:
    """List uses of `re`, `inspect` and annotations, by which code reads facts from text."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names if each.name in ("re", "inspect")]
        elif isinstance(node, ast.Attribute) and node.attr in ("annotation", "__kwdefaults__"):
            found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("target", ["torch", "jax"])
def test_a_runtime_reads_facts_and_parses_none(target: str) -> None:
    files = {*(ROOT / "runtime" / target).glob("*.py")}
    files = {file for file in files if file.name != "library.py"}  # reads a header of jaxlib
    assert files and not {f.name: w for f in files if (w := parsing(f.read_text()))}


def test_what_parses_is_found() -> None:
    assert parsing("import re, inspect\nkind = parameter.annotation\n") == [
        *("re", "inspect", "parameter.annotation"),
    ]


def test_no_two_modules_of_a_target_have_one_name() -> None:
    for target in (ROOT / "targets").iterdir():
        names = [path.name for path in target.rglob("*.py") if path.name != "__init__.py"]
        assert len(names) == len({*names}), sorted(n for n in names if names.count(n) > 1)


# Folders whose modules name no framework, platform or kernel language, except the listed modules.
NEUTRAL = ("spec", "language", "ir", "lint", "compiler", "output", "targets/core", "targets/cpp")
TABLES = {
    "spec/config.py",  # the keys of [tool.opgen]
    "spec/keys.py",  # the tables of a spec
    "spec/models",  # the keys of ops and kernels
    "lint/rules/keyword_name.py",  # the module names of a rendered package
    "targets/cpp/element_types.py",  # the columns of the table of dtypes
    "targets/cpp/platforms.py",  # the table of platforms
}
WORDS = "torch pytorch aten aoti jax xla nnx equinox tvm triton cute pallas nki cuda hip rocm neuron tpu"
_WORD = "|".join(f"[{w[0]}{w[0].upper()}]{w[1:]}|{w.upper()}" for w in WORDS.split())
NAMED = re.compile(
    rf"(?<![A-Za-z])(?:{_WORD}|PyTorch|CuTe)(?![a-z])|[a-z](?:Torch|Jax|Cuda|Triton)"
)


def named(path: Path) -> list[str]:
    """List the names and strings of a module, or the lines of a template, that name a target.

    Docstrings and comments do not count, because documentation may name targets.
    """
    text = path.read_text()
    if path.suffix != ".py":
        return [
            line
            for line in re.sub('""".*?"""', "", text, flags=re.S).splitlines()
            if NAMED.search(line)
        ]
    nodes = [*ast.walk(ast.parse(text))]
    docs = {
        id(n.value) for n in nodes if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
    }
    fields = ("id", "attr", "name", "arg", "module", "value")
    said = (getattr(n, field, None) for n in nodes if id(n) not in docs for field in fields)
    return [each for each in said if isinstance(each, str) and NAMED.search(each)]


@pytest.mark.parametrize("folder", NEUTRAL)
def test_a_target_is_named_in_its_own_folder_alone(folder: str) -> None:
    files = [f for f in (ROOT / folder).rglob("*") if f.suffix in (".py", ".j2")]
    paths = {path.relative_to(ROOT).as_posix(): path for path in files}
    others = {p: f for p, f in paths.items() if not any(p.startswith(table) for table in TABLES)}
    assert others and not {p: found for p, f in others.items() if (found := named(f))}


def test_every_table_names_some() -> None:
    files = {table: [ROOT / table, *(ROOT / table).glob("*.py")] for table in TABLES}
    assert all(any(f.is_file() and named(f) for f in found) for found in files.values())


@pytest.mark.parametrize(
    "code", ["kernel.triton", 'if p == "hip": ...', "TORCH = 1", "jax_name(x)", "class CudaX: ..."]
)
def test_a_named_target_is_found(code: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(f'"""About PyTorch."""\n{code}\n')
    assert named(tmp_path / "module.py")


def uncommented(text: str) -> list[str]:
    """List fields that no comment describes, in dataclasses with more than ten of them.

    A comment describes the field below it, and up to two more fields. The documentation of a spec's
    key is in the field's value, and counts as a comment.
    """
    lines, found = text.splitlines(), []
    for node in ast.walk(ast.parse(text)):
        about = getattr(node, "decorator_list", []) + getattr(node, "bases", [])
        if not isinstance(node, ast.ClassDef) or not re.search(
            "dataclass|NamedTuple", " ".join(map(ast.unparse, about))
        ):
            continue
        fields = [f for f in node.body if isinstance(f, ast.AnnAssign)]
        since = 3  # number of fields since the last comment
        for field in fields if len(fields) > 10 else ():
            said = "#" in lines[field.lineno - 1] or lines[field.lineno - 2].strip().startswith("#")
            key = field.value is not None and ast.unparse(field.value).startswith("key(")
            since = 0 if said or key else since + 1
            if since > 2:
                found.append(f"{node.name}.{ast.unparse(field.target)}")
    return found


def test_the_fields_of_a_large_dataclass_have_comments() -> None:
    assert not {f.name: w for f in ROOT.rglob("*.py") if (w := uncommented(f.read_text()))}


def test_a_field_without_a_comment_is_found() -> None:
    fields = [f"    f{n}: int  # the {n}th\n" for n in range(8)]
    text = "@dataclass\nclass Large:\n" + "".join(fields) + "    a: int\n    b: int\n    c: int\n"
    assert uncommented(text) == ["Large.c"]


def test_no_line_is_too_long() -> None:
    files = [f for f in ROOT.rglob("*") if f.suffix in (".py", ".j2")]
    long = [f.name for f in files for line in f.read_text().splitlines() if len(line) > 120]
    assert files and not long
