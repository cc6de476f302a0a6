"""Build the small projects of tests, which have their own kernels and specs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from opgen.build.cmake import build
from opgen.compiler.pipeline import load
from opgen.output.render import render
from opgen.output.write import write
from opgen.package.runtime_wheel import write_runtime
from opgen.spec.config import Config


def built(
    project: Path, name: str, folder: Path, targets: Sequence[str], runtime: str = "vendored"
) -> ModuleType:
    """Render the specs of `project` as package `name` into `folder`, build it, and return it.

    `runtime` is the setting of this name.
    """
    config = Config(
        folder,
        out=name,
        package=name,
        namespace=name,
        targets=tuple(targets),
        kernels=str(project / "kernels"),
        runtime=runtime,
    )
    specs, found, _ = load(sorted((project / "specs").glob("*.toml")), config)
    assert specs is not None and not found, [f.message for f in found]
    write(render(specs, config.targets), config.out_dir, force=True)
    build(config, config.out_dir)
    if runtime == "package":
        write_runtime(folder / "opgen_runtime")
    sys.path.insert(0, str(folder))
    return importlib.import_module(name)
