"""`opgen init`, `new` and `scaffold`: create files for an author to edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from opgen.cli.console import read_config, read_project, say
from opgen.compiler.discovery import NO_PROJECT, shown
from opgen.source.failure import Failure
from opgen.spec.config import Config, load_config


def init(package: str | None, op: str | None, like: str, module: bool, ci: bool) -> int:
    """Create a project in the working directory or, with `ci`, a workflow for a project."""
    from opgen.start.op import write_files
    from opgen.start.project import ci_files, folder_name, project_files

    read_config([], "text")  # reports an invalid configuration
    config, _, source = load_config(Path())
    there = source is not None and shown(config.root) == Path()
    if there and not ci:
        raise Failure("this folder has a project already: `opgen new OP` adds an op")
    if there and package:
        raise Failure(
            f"this folder has the project {config.package} already: `opgen init --ci` adds a workflow"
        )
    files = {} if there else project_files(Path(), package, like, op=op, module=module)
    if ci:
        name = package or folder_name(Path())
        own = config if there else Config(Path(), out=name, package=name)
        files = ci_files(own, files)
    write_files(files)
    _say_created(files)
    if ci:
        say("the workflow installs opgen from where the repository's variable OPGEN says")
    return 0


def new(op: str, like: str, module: bool) -> int:
    """Add the files of a new op to the project: its spec, reference and kernel."""
    from opgen.start.op import op_files, refuse_unfit, write_files

    config = read_config([], "text")
    if not (config.root / "pyproject.toml").is_file():
        raise Failure(NO_PROJECT)
    files = op_files(config, op, like, module=module)
    refuse_unfit(op, files, config)
    write_files(files)
    _say_created(files)
    return 0


def scaffold(paths: Sequence[Path], format: str) -> int:
    """Write a first version of each kernel that a spec names and that has no source file yet."""
    from opgen.start.op import write_files
    from opgen.targets.cpp.skeleton import SUFFIXES, skeleton

    config = read_config(paths, format)
    files = {}
    for family in read_project(paths, config, format).families:
        awaited = {k.platform for op in family.ops for k in op.awaited}
        for platform in sorted(awaited & SUFFIXES.keys()):
            file = config.kernels_dir / family.name / f"{family.name}{SUFFIXES[platform]}"
            # Only missing files are written, so no file is overwritten.
            files[file] = skeleton(config.namespace, family, platform)
    if format == "json":
        print("[]")
    if files:
        write_files(files)
        for file in files:
            say(f"{shown(file)}: created")
        say("next: write the kernels, `opgen render` and `opgen build`")
    return 0


def _say_created(files: Mapping[Path, str]) -> None:
    for path in files:
        say(f"{shown(path)}: created")
    say("next: `opgen render`, `opgen build`, and `python -m pytest` on the package's tests")
