"""The files of a source distribution: all files that a build needs without opgen or a network."""

from __future__ import annotations

import shutil
from pathlib import Path

from opgen.build.cmake import BuildError
from opgen.build.machine import CUDA_ARCHS
from opgen.build.runtime_files import license_file, runtime_dir
from opgen.package import sbom
from opgen.package.metadata import Metadata, metadata
from opgen.source.inside import leads_out
from opgen.spec.config import Config
from opgen.targets import environment

RUNTIME = "opgen-headers"
TEMPLATES = Path(__file__).parent / "templates"
PARTS = ("include", "adapters", "cmake")
# Files of the rendered package that neither builds nor users need.
LEFT_OUT = ("lib", "tests", "docs", "MANIFEST", "*.toml", "__pycache__")


def write_sources(config: Config, folder: Path) -> Metadata:
    """Write the project to `folder`, in the layout of its source distribution.

    The result is still a project, so `opgen render` can render it again from its specs. Raises
    `BuildError` if files are missing or invalid.
    """
    if not (config.out_dir / "CMakeLists.txt").is_file():
        raise BuildError(f"there is nothing to package in {config.out}: run `opgen render` first")
    described = metadata(config, RUNTIME)
    shutil.rmtree(folder, ignore_errors=True)
    _copy(config.out_dir, folder / config.out, *LEFT_OUT)
    tables = str(config.tables_dir.relative_to(config.root))
    for own in (config.kernels, config.specs, tables):
        if (config.root / own).is_dir():
            _copy(config.root / own, folder / own, "__pycache__")
    copy_headers(folder / RUNTIME)
    for file in described.files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(config.root / file, folder / file)
    cuda = any((config.out_dir / "cpp").glob("*_cuda.cu"))
    lists = environment(TEMPLATES).get_template("CMakeLists.txt.j2")
    told = {
        "package": config.package,
        "namespace": config.namespace,
        "runtime": RUNTIME,
        "kernels": config.kernels,
        "out": config.out,
        "archs": " ".join(config.cuda_archs or CUDA_ARCHS),
        "cuda": cuda,
    }
    (folder / "CMakeLists.txt").write_text(lists.render(told), encoding="utf-8")
    (folder / "pyproject.toml").write_text(described.text, encoding="utf-8")
    license = described.license if described.license != "other" else None
    text = sbom.sbom(described.name, described.version, license, cuda=cuda)
    (folder / sbom.FILE).write_text(text, encoding="utf-8")
    return described


def copy_headers(folder: Path) -> None:
    """Copy opgen's own headers, adapters and CMake files, with their licence."""
    for part in PARTS:
        _copy(runtime_dir() / part, folder / part, "__pycache__")
    shutil.copy2(license_file(), folder / "LICENSE")


def _copy(source: Path, target: Path, *without: str) -> None:
    """Copy a folder, except files that match a pattern in `without`.

    The copies keep their modification times, so that a later build does not compile them again.
    Raises `BuildError` if the folder contains a link that leads out of the project.
    """
    for path in source.rglob("*"):
        if path.is_symlink() and leads_out(path, source):
            raise BuildError(f"{path}: a link leads out of the project: copy the file instead")
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*without), dirs_exist_ok=True)
