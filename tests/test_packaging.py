"""`opgen package`: the steps of docs/packaging.md, the contents of a wheel, and refusals."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import NamedTuple

import pytest
from packaging.requirements import Requirement

for name in ("scikit_build_core", "build", "auditwheel", "tomlkit"):
    pytest.importorskip(name, reason=f"opgen[package] is not installed: {name}")

from opgen.build.cmake import BuildError
from opgen.build.frameworks import Frameworks, find_frameworks
from opgen.cli import package as command
from opgen.cli.main import main
from opgen.package.metadata import metadata
from opgen.package.sources import write_sources
from opgen.package.wheel import remarks
from opgen.source.user_cache import cache_folder
from opgen.source.version import __version__
from opgen.spec.config import load_config
from tests.symbols import bound_now, strangers, symbols

PAGE = (Path(__file__).parents[1] / "docs/packaging.md").read_text()
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
FILES = {file: text for _, file, text in BLOCK.findall(PAGE) if file}
# No build type is set, because the user chooses it.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "CMAKE_BUILD_TYPE"}
COMMANDS = [
    line for kind, _, text in BLOCK.findall(PAGE) if kind == "sh" for line in text.splitlines()
]


def needed(name: str, found: dict[str, Distribution]) -> dict[str, Distribution]:
    """Return `found` with an installed package and all packages that it needs."""
    own = distribution(name)
    if own.name not in found:
        found[own.name] = own
        for text in own.requires or ():
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                needed(wanted.name, found)
    return found


def install(folder: Path, framework: str, wheel: Path) -> None:
    """Install a wheel, and a framework by links to the packages of this environment."""
    (site,) = folder.glob("lib/python*/site-packages")
    for each in needed(framework, {}).values():
        tops = {file.parts[0] for file in each.files or ()} - {"..", "__pycache__"}
        for top in sorted(tops):
            if not (site / top).exists():
                (site / top).symlink_to(each.locate_file(top))
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin/python"), "install"]
    subprocess.run([*pip, "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)


class Made(NamedTuple):
    """The files that the tutorial creates."""

    folder: Path
    wheel: Path
    sdist: Path


def run(line: str, folder: Path) -> None:
    """Run a line of the tutorial. Installed packages come from this environment, not an index."""
    words = line.split()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**ENVIRONMENT, "PATH": path}
    if words[:3] == ["python3", "-m", "venv"]:
        line = f"{sys.executable} -m venv --without-pip {words[3]}"
    elif words[0].endswith("/pip"):
        (wheel,) = folder.glob(words[-1])
        return install(folder / words[0].partition("/")[0], words[2].partition("=")[0], wheel)
    elif "only-" in line:
        own = re.findall(r"only-\w+", line)[0]
        environment = {"PATH": str(folder / own / "bin"), "HOME": str(folder)}
        assert not any(shutil.which(c, path=environment["PATH"]) for c in ("c++", "g++", "cc"))
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Run the tutorial, from the empty folder to the programs that use the wheel."""
    folder = tmp_path_factory.mktemp("packaging")
    written = False
    for line in COMMANDS:
        if line == "opgen render":
            for file, text in FILES.items():
                assert (folder / file).exists() or file.startswith("elsewhere/")
                (folder / file).parent.mkdir(exist_ok=True)
                (folder / file).write_text(text)
            written = True
        run(line, folder)
    assert written
    (wheel,), (sdist,) = folder.glob("dist/*.whl"), folder.glob("dist/*.tar.gz")
    return Made(folder, wheel, sdist)


@pytest.mark.slow
def test_the_tutorial(made: Made) -> None:
    """The tutorial's programs run in environments with only the framework and the wheel."""
    lines = [line for text in FILES.values() for line in text.splitlines() if line.strip()]
    assert len(COMMANDS) <= 10 and len(lines) <= 60
    for own, other in (("torch", "jax"), ("jax", "torch")):
        python = made.folder / f"only-{own}/bin/python"
        program = f"import {own}, acme_ops.{own}\n" + "".join(
            f"try:\n    import {name}\nexcept ImportError:\n    pass\nelse:\n    raise SystemExit('{name}')\n"
            for name in (other, "opgen")
        )
        subprocess.run([python, "-c", program], cwd="/", env={}, check=True)


@pytest.mark.slow
def test_what_the_wheel_holds(made: Made) -> None:
    assert made.wheel.name == "acme_ops-0.1.0-py3-none-manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(made.wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        for each in (archive.read(name) for name in names):
            assert str(made.folder).encode() not in each and b"site-packages" not in each
        about = archive.read("acme_ops-0.1.0.dist-info/METADATA").decode()
        record = json.loads(archive.read("acme_ops/lib/BUILD.json"))
    tops = {name.split("/")[1] for name in names if name.startswith("acme_ops/")}
    assert tops == {"__init__.py", "py.typed", "_opgen", "core", "jax", "lib", "reference", "torch"}
    kinds = {re.sub(r"-[0-9a-f]{12}.*", "", name) for name in names if name.endswith(".so")}
    lib = "acme_ops/lib"
    assert kinds == {
        *(f"{lib}/libacme_ops_{kind}" for kind in ("kernels", "torch", "jax", "autograd", "eager")),
        *(f"{lib}/glibc-hwcaps/x86-64-v{n}/libacme_ops_kernels" for n in (3, 4)),
    }
    assert record["ffi"] == find_frameworks().jax_ffi != ""  # refuses an older jaxlib
    assert re.findall(r"^License-File: (.*)$", about, re.M) == ["opgen-headers/LICENSE"]
    needs = re.findall(r"^Requires-Dist: (.*)$", about, re.M)
    assert needs and all("extra ==" in each for each in needs)


@pytest.mark.slow
def test_its_libraries(made: Made, tmp_path: Path) -> None:
    """Libraries in a wheel need only symbols of the system and the stable ABI, and are hardened."""
    with zipfile.ZipFile(made.wheel) as archive:
        archive.extractall(tmp_path)
    libraries = [*tmp_path.rglob("*.so")]
    assert strangers(libraries, Path(find_frameworks().torch_include)) == {}
    for library in libraries:
        names = {symbol.name for symbol in symbols(library)}
        assert bound_now(library) and "__stack_chk_fail" in names, library
    steps = (made.folder / "build/package/cmake/build.ninja").read_text()
    flags = re.findall(r"^  FLAGS = (.*)$", steps, re.M)
    assert flags and all("-D_FORTIFY_SOURCE=2" in each for each in flags)


@pytest.mark.slow
def test_the_list_of_its_parts(made: Made) -> None:
    """The software bill of materials in the wheel follows PEP 770.

    CycloneDX's own library finds it valid.
    """
    strict = pytest.importorskip("cyclonedx.validation.json", reason="CycloneDX is not installed")
    from cyclonedx.schema import SchemaVersion

    with zipfile.ZipFile(made.wheel) as archive:
        text = archive.read("acme_ops-0.1.0.dist-info/sboms/sbom.cdx.json").decode()
    assert strict.JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert [part["name"] for part in json.loads(text)["components"]] == ["opgen-headers"]


@pytest.mark.slow
def test_two_builds_are_the_same(made: Made, tmp_path: Path) -> None:
    """A second build gives the same files.

    It runs in another folder with a longer name, with another umask, and without caches.
    """
    folder = tmp_path / "another folder"
    shutil.copytree(made.folder, folder, ignore=shutil.ignore_patterns("build", "dist", "only-*"))
    command = [sys.executable, "-m", "opgen", "package"]
    environment = {**ENVIRONMENT, "CCACHE_DISABLE": "1", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run(command, cwd=folder, env=environment, umask=0o077, check=True)
    for path in (made.wheel, made.sdist):
        assert (folder / "dist" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_the_source_distribution_builds_without_opgen(made: Made, tmp_path: Path) -> None:
    """pip builds the source distribution offline without opgen, and opgen can render it."""
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "opgen.py").write_text("raise ImportError('opgen is not needed')\n")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "-C", f"cmake.define.OPGEN_CACHE={cache_folder()}"]
    done = subprocess.run(
        [*command, "--wheel-dir", str(tmp_path), str(made.sdist)],
        env={**os.environ, "PYTHONPATH": str(shadow)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("acme_ops-0.1.0-py3-none-linux_x86_64.whl")

    def libraries(path: Path) -> set[str]:
        with zipfile.ZipFile(path) as archive:
            return {name for name in archive.namelist() if name.endswith(".so")}

    assert libraries(wheel) == libraries(made.wheel)
    with tarfile.open(made.sdist) as archive:
        assert "acme_ops-0.1.0/opgen-headers/LICENSE" in archive.getnames()
        archive.extractall(tmp_path, filter="data")
    check = [sys.executable, "-m", "opgen", "render", "--check"]
    found = subprocess.run(check, cwd=tmp_path / "acme_ops-0.1.0", capture_output=True, text=True)
    said = {line.partition(":")[0] for line in found.stdout.splitlines()}
    assert said == {"missing"}, found  # its tests and its pages; the rest is unchanged


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "acme_ops"]) == 0
    assert main(["render"]) == 0
    yield tmp_path


def extend(project: Path, text: str) -> None:
    file = project / "pyproject.toml"
    file.write_text(f"{text}\n{file.read_text()}")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            '[project]\nname = "x"\ndynamic = ["version"]\n',
            "[project] has its version from elsewhere",
        ),
        (
            '[project]\nname = "x"\nversion = "1"\nreadme = "README.md"\n',
            "[project] names README.md, which is not there",
        ),
        *(
            (
                f'[project]\nname = "x"\nversion = "1"\n{key}\n',
                f"[project] names {path}: a name leads to a folder or file below, without `..` or `/` in front",
            )
            for path in ("../x.md", "/etc/passwd", "a/../../x")
            for key in (
                f'readme = "{path}"',
                f'readme = {{ file = "{path}" }}',
                f'license = {{ file = "{path}" }}',
                f'license-files = ["{path}"]',
            )
        ),
        (
            '[project]\nname = "x"\nversion = "1"\nlicense-files = ["MINE"]\n',
            "[project] names MINE, which is not there",
        ),
        (
            '[project]\nname = "my ops"\nversion = "1"\n',
            "a distribution cannot be called `my ops`: its name has letters",
        ),
        (
            '[project]\nname = "acme"\n[build-system]\nrequires = []\nbuild-backend = "hatchling.build"\n',
            "pyproject.toml builds acme with hatchling.build: name the wheel of the ops in a table",
        ),
    ],
)
def test_refused(project: Path, capsys: pytest.CaptureFixture[str], change: str, says: str) -> None:
    extend(project, change)
    assert main(["package"]) == 2
    said = capsys.readouterr().err
    assert f"opgen: {says}" in said and "Traceback" not in said
    assert not (project / "dist").exists()


def test_a_link_that_leads_out_is_not_packaged(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.parent / "secret.h").write_text("of somebody else")
    (project / "kernels/secret.h").symlink_to(project.parent / "secret.h")
    assert main(["package"]) == 2
    assert "secret.h: a link leads out of the project" in capsys.readouterr().err
    assert not (project / "dist").exists()


def test_what_the_system_refuses_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = project / "kernels/gone.h"
    link.symlink_to("nowhere.h")
    assert main(["package"]) == 2
    assert capsys.readouterr().err.endswith(f"opgen: {link}: No such file or directory\n")
    shutil.rmtree(project / "build")
    (project / "build").write_text("")
    assert main(["package"]) == 2
    assert capsys.readouterr().err.endswith(f"opgen: {project}/build/package: Not a directory\n")


def test_what_a_killed_runtime_wheel_left_goes_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from opgen.package import runtime_wheel

    def stopped(*_: object, **__: object) -> None:
        raise BuildError("stopped")

    left = tmp_path / "opgen/runtime-wheel/scratch/left"
    left.parent.mkdir(parents=True)
    left.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(runtime_wheel, "ProjectBuilder", stopped)
    with pytest.raises(BuildError, match="stopped"):
        runtime_wheel.runtime_wheel(tmp_path / "dist")
    assert not left.exists()


def test_stale_and_unrendered_packages_are_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "specs/scaled_square.toml").write_text(
        (project / "specs/scaled_square.toml").read_text().replace("default = 1.0", "default = 2.0")
    )
    assert main(["package"]) == 2
    assert "acme_ops is not what the specs say: run `opgen render`" in capsys.readouterr().err
    assert not (project / "dist").exists()


@pytest.mark.slow
def test_a_kernel_that_does_not_compile(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A compile error is shown with the path of the kernel, and without internals of the build."""
    kernel = project / "kernels/scaled_square/scaled_square.cpp"
    kernel.write_text(kernel.read_text().replace("opgen::Status::ok", "opgn::Status::ok"))
    assert main(["package"]) == 2
    said = capsys.readouterr().err
    assert (
        "opgen: the build failed:\nkernels/scaled_square/scaled_square.cpp:17:10: error: " in said
    )
    assert "the whole output is in " in said and "internal error" not in said
    assert not (project / "dist").exists()


def test_a_missing_tool_is_named(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "NEEDS", ("nowhere-to-be-found",))
    assert main(["package"]) == 2
    assert "a wheel needs nowhere-to-be-found: `pip install" in capsys.readouterr().err


def test_no_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["package"]) == 2
    assert "there is no project here: `opgen init` creates one" in capsys.readouterr().err


def test_metadata_is_the_projects(project: Path) -> None:
    """The wheel has all metadata and files of [project], and its settings for scikit-build-core."""
    extend(
        project,
        '[project]\nname = "fast-ops"\nversion = "3.1"\nreadme = "README.md"\n'
        'dependencies = ["numpy"]\n[tool.scikit-build.wheel]\npy-api = "cp312"\n',
    )
    for file in ("README.md", "LICENSE", "NOTICE.txt"):
        (project / file).write_text("")
    found = metadata(load_config(project)[0], "opgen-headers")
    assert (found.name, found.version, found.assumed) == ("fast-ops", "3.1", ())
    assert {str(file) for file in found.files} == {"README.md", "LICENSE", "NOTICE.txt"}
    assert 'dependencies = ["numpy"]' in found.text and 'py-api = "cp312"' in found.text
    assert 'install-dir = "acme_ops/lib"' in found.text


def test_a_package_without_its_runtime_depends_on_it(project: Path) -> None:
    config = load_config(project)[0]
    extend(project, '[project]\nname = "x"\nversion = "1"\ndependencies = ["numpy"]\n')
    told = tomllib.loads(metadata(config, "opgen-headers").text)["project"]["dependencies"]
    assert told == ["numpy"]
    config = replace(config, runtime="package")
    told = tomllib.loads(metadata(config, "opgen-headers").text)["project"]["dependencies"]
    assert told == ["numpy", f"opgen-runtime=={__version__}"]


def test_folders_are_those_of_the_project(project: Path) -> None:
    """The distribution has the package, specs and kernels in the same folders as the project."""
    text = '[tool.opgen]\npackage = "acme.ops"\nout = "src/acme/ops"\nspecs = "src/specs"\n'
    (project / "pyproject.toml").write_text(f'{text}kernels = "native"\nnamespace = "acme_ops"\n')
    (project / "src").mkdir()
    (project / "specs").rename(project / "src/specs")
    (project / "kernels").rename(project / "native")
    assert main(["render"]) == 0
    folder = project / "sources"
    write_sources(load_config(project)[0], folder)
    for path in ("src/acme/ops/cpp/scaled_square_torch.cpp", "native/scaled_square", "src/specs"):
        assert (folder / path).exists()
    assert not (folder / "src/acme/ops/tests").exists()
    lists = (folder / "CMakeLists.txt").read_text()
    assert "add_subdirectory(src/acme/ops libraries)" in lists and "DIR}/native" in lists
    wheel = tomllib.loads((folder / "pyproject.toml").read_text())["tool"]["scikit-build"]["wheel"]
    assert wheel["packages"] == {"acme/ops": "src/acme/ops"}
    assert wheel["install-dir"] == "acme/ops/lib"


@pytest.mark.parametrize(
    ("license", "files"),
    [
        ('license = "MIT"', ["COPYING"]),
        ('license = { file = "terms.txt" }', ["terms.txt", "COPYING"]),
        ('license = { text = "MIT" }', ["COPYING"]),
    ],
)
def test_licences(project: Path, license: str, files: list[str]) -> None:
    """The wheel has the licences of the project and of opgen, for each form in `[project]`."""
    extend(project, f'[project]\nname = "x"\nversion = "1"\n{license}\n')
    for name in ("COPYING", "terms.txt"):
        (project / name).write_text("")
    found = tomllib.loads(metadata(load_config(project)[0], "opgen-headers").text)
    form = found["tool"]["scikit-build"]["wheel"] if "text" in license else found["project"]
    assert form["license-files"] == [*files, "opgen-headers/LICENSE"]
    assert isinstance(found["project"].get("license", ""), str) or "text" in license


@pytest.mark.parametrize(
    ("versions", "says"),
    [
        (("2.13.0", "0.11.0"), []),
        (("2.13.0", "0.11.1"), ["older jaxlibs refuse what is built with jaxlib 0.11.1"]),
        (("", "0.10.2"), ["PyTorch is not installed: its library will be missing from the wheel"]),
        (("2.13.0", ""), ["JAX is not installed: its library will be missing from the wheel"]),
    ],
)
def test_what_is_remarked(project: Path, versions: tuple[str, str], says: list[str]) -> None:
    torch, jax = versions
    extend(project, '[project]\nname = "x"\nversion = "1"\n')
    given = dict(torch_include=torch, torch_version=torch, jax_include=jax, jax_version=jax)
    empty = dict.fromkeys(Frameworks.__dataclass_fields__, "")
    described = metadata(load_config(project)[0], "opgen-headers")
    said = [*remarks(described, Frameworks(**{**empty, **given}))]
    assert len(said) == len(says) and all(a.startswith(b) for a, b in zip(said, says)), said


def test_containers_have_the_date_of_the_commit(project: Path) -> None:
    def said() -> str:
        text = metadata(load_config(project)[0], "opgen-headers").text
        return tomllib.loads(text)["tool"]["cibuildwheel"]["environment"]

    assert said() == "SOURCE_DATE_EPOCH=315532800"
    author = {
        f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    environment = {**os.environ, **author, "GIT_COMMITTER_DATE": "@1700000000 +0000"}
    for line in ("init -q", "commit -q --allow-empty -m x"):
        subprocess.run(["git", *line.split()], cwd=project, env=environment, check=True)
    assert said() == "SOURCE_DATE_EPOCH=1700000000"
    extend(project, '[tool.cibuildwheel]\nenvironment = "A=1"\n')
    assert said() == "A=1"


def test_tables_in_any_order(project: Path) -> None:
    """`[tool]` may come before or after `[project]`."""
    with (project / "pyproject.toml").open("a") as file:
        file.write('[project]\nname = "x"\nversion = "1"\n[tool.black]\nline-length = 100\n')
    found = tomllib.loads(metadata(load_config(project)[0], "opgen-headers").text)
    assert found["tool"].keys() == {"opgen", "black", "scikit-build", "cibuildwheel"}
    assert found["tool"]["scikit-build"]["wheel"]["install-dir"] == "acme_ops/lib"


def test_a_wheel_beside_another_distribution(project: Path) -> None:
    """`[tool.opgen.project]` describes the wheel if `[project]` describes something else."""
    extend(
        project,
        '[project]\nname = "acme"\nversion = "1"\n[build-system]\nrequires = ["hatchling"]\n'
        'build-backend = "hatchling.build"\n[tool.opgen.project]\nname = "acme-ops"\nversion = "2"\n',
    )
    found = metadata(load_config(project)[0], "opgen-headers")
    assert (found.name, found.version) == ("acme-ops", "2")
    assert "hatchling" not in found.text and 'name = "acme"\n' not in found.text
