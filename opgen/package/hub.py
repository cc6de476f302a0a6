"""The folder that Hugging Face's library `kernels` loads: a wheel's files and `layers.py`."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from opgen.build.cmake import BuildError, cuda_archs, find_nvcc, hip_archs
from opgen.build.frameworks import find_frameworks
from opgen.ir.project import Project
from opgen.package.commit import git
from opgen.package.metadata import Metadata
from opgen.package.sources import TEMPLATES
from opgen.source.atomic import put
from opgen.source.version import __version__
from opgen.spec.config import Config
from opgen.targets import environment

# abi210: the libraries require the stable ABI of PyTorch 2.10 or newer.
VARIANT = "torch-stable-abi210-{backend}-{machine}-linux"
# Finds the machine, such as x86_64, in the last tag of a wheel's name.
_MACHINE = re.compile(r"linux(?:_\d+_\d+)?_(\w+)\.whl$")
# The pattern for names of kernels on the Hub.
_NAME = re.compile(r"[a-z][-a-z0-9]*[a-z0-9]")
# The layers are in the files `<family>_torch_layers.py`, which an author writes.
_LAYERS = """from .torch.layers import *  # noqa: F403
from .torch.layers import __all__ as __all__
"""
_NO_LAYERS = "__all__ = []\n"
# The files of a wheel that only JAX uses.
_LEFT_OUT = ("jax/", "_opgen/jax/", "lib/lib{namespace}_jax-")


def write_hub(
    config: Config,
    project: Project,
    described: Metadata,
    wheel: Path,
    folder: Path,
    say: Callable[[str], None] = print,
) -> list[Path]:
    """Write a folder `<folder>/build/<variant>/` for each backend of the wheel: CPU and GPU.

    An existing variant is replaced only after the new variant is complete. `say` is called with a
    message if some GPU kernels are in no variant. Raises `BuildError`.
    """
    if not _NAME.fullmatch(described.name):
        raise BuildError(
            f"a kernel on the Hub cannot be called {described.name}: give [project] a name of "
            "lower-case letters, digits and `-`"
        )
    if config.runtime == "package":
        raise BuildError(
            "a kernel on the Hub holds all that it needs: render it without `runtime = "
            '"package"` in [tool.opgen]'
        )
    package = f"{config.package.replace('.', '/')}/"
    left_out = tuple(each.format(namespace=config.namespace) for each in _LEFT_OUT)
    with zipfile.ZipFile(wheel) as archive:
        files = {
            name.removeprefix(package): archive.read(name)
            for name in archive.namelist()
            if name.startswith(package) and not name.endswith("/")
        }
    files = {name: data for name, data in files.items() if not name.startswith(left_out)}
    text = environment(TEMPLATES).get_template("__init__.py.j2").render(package=config.package)
    files["__init__.py"] = text.encode()
    files["layers.py"] = (_LAYERS if "torch/layers/__init__.py" in files else _NO_LAYERS).encode()
    record = json.loads(files["lib/BUILD.json"])
    version = config.hub.get("version", 1)
    backends: dict[str, Mapping[str, object]] = {"cpu": {"type": "cpu"}}
    backends |= _gpus(config, record, say)
    tag = _MACHINE.search(wheel.name)
    if tag is None:
        raise BuildError(f"{wheel.name} is not for Linux, and `kernels` knows no other name for it")
    variants = {
        VARIANT.format(backend=name, machine=tag[1]): backend for name, backend in backends.items()
    }
    sources = _sources(config, wheel, folder)
    made = [
        _variant(folder / "build" / name, files, described, version, backend, sources)
        for name, backend in variants.items()
    ]
    card = folder / "README.md"
    if not card.exists():  # an existing card belongs to the author
        put(card, _card(project, described))
    return made


def _card(project: Project, described: Metadata) -> str:
    """Return the text of a README.md (a card) for the Hub. The author can edit the card."""
    stages = {name for family in project.families for name in family.stages}
    hidden = stages | project.backwards
    ops = [
        (op.name, " ".join(op.doc.split()).replace("|", "\\|"))
        for op in project.ops
        if op.name not in hidden
    ]
    told = {"name": described.name, "version": described.version, "ops": ops}
    template = environment(TEMPLATES).get_template("README.md.j2")
    return template.render(**told, license=described.license.lower())


def _sources(config: Config, wheel: Path, folder: Path) -> list[Mapping[str, object]]:
    """Return the sources to state in a variant's provenance: the wheel, and the project's commit.

    The entry of the commit records whether the project has uncommitted changes. Files in the
    wheel's folder and in `folder` do not count as changes.
    """
    found: list[Mapping[str, object]] = [
        {"name": wheel.name, "digest": {"sha256": _digest(wheel.read_bytes())}}
    ]
    commit = git(config.root, "rev-parse", "HEAD")
    if commit:
        root = config.root.resolve()
        made = [path for each in (wheel.parent, folder) if root in (path := each.resolve()).parents]
        without = [f":(exclude,literal){path.relative_to(root)}" for path in made]
        changed = bool(git(root, "status", "--porcelain", "--", ".", *without))
        note = {"annotations": {"changed": True}} if changed else {}
        found.append({"name": "sources", "digest": {"gitCommit": commit}, **note})
    return found


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _provenance(files: Mapping[str, bytes], sources: Sequence[Mapping[str, object]]) -> str:
    """Return a SLSA provenance statement as JSON: the files' hashes, the sources and the tool."""
    tool = f"pkg:generic/opgen@{__version__}"
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": name, "digest": {"sha256": _digest(data)}}
            for name, data in sorted(files.items())
        ],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": tool,
                "externalParameters": {},
                "resolvedDependencies": sources,
            },
            "runDetails": {"builder": {"id": tool}},
        },
    }
    return json.dumps(statement, indent=2) + "\n"


def _variant(
    folder: Path,
    files: Mapping[str, bytes],
    described: Metadata,
    version: int,
    backend: Mapping[str, object],
    sources: Sequence[Mapping[str, object]],
) -> Path:
    """Write one variant to `folder`, and return `folder`.

    The variant's id contains a hash of its files. So `kernels` can load two builds in one process.
    """
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name} {len(data)} ".encode() + data)
    kind, python = backend["type"], described.name.replace("-", "_")
    metadata = {
        "id": f"_{python}_{kind}_{digest.hexdigest()[:12]}",
        "name": described.name,
        "version": version,
        "license": described.license,
        "python-depends": [],
        "backend": backend,
    }
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)  # a killed run may have left a draft
    whole = {**files, "metadata.json": json.dumps(metadata, indent=2).encode()}
    whole["provenance.json"] = _provenance(whole, sources).encode()
    for name, data in whole.items():
        (draft / name).parent.mkdir(parents=True, exist_ok=True)
        (draft / name).write_bytes(data)
    shutil.rmtree(folder, ignore_errors=True)
    draft.replace(folder)
    return folder


def _gpus(
    config: Config, record: Mapping[str, Any], say: Callable[[str], None]
) -> Mapping[str, Mapping[str, object]]:
    """Return the GPU backend of the kernels, ROCm or CUDA, or {} if there are no GPU kernels."""
    rocm = find_frameworks().torch_rocm
    if record["cuda" if rocm else "hip"]:
        others, wanted = ("CUDA", "CUDA") if rocm else ("AMD's GPUs", "ROCm")
        say(
            f"there is no variant for the kernels for {others}: PyTorch here is not one for {wanted}"
        )
    if rocm and record["hip"]:
        name = "".join(re.findall(r"\d+", rocm)[:2])
        return {f"rocm{name}": {"type": "rocm", "archs": sorted(hip_archs(config))}}
    if not rocm and record["cuda"]:
        archs = [re.sub(r"(\d)(\D?)$", r".\1\2", arch) for arch in cuda_archs(config)]
        return {_cuda(): {"type": "cuda", "archs": archs}}
    return {}


def _cuda() -> str:
    """Return the name of the CUDA backend, such as `cu128` for a CUDA compiler of version 12.8."""
    nvcc = find_nvcc()
    if nvcc is None:
        raise BuildError(
            "the variant for CUDA has the version of CUDA in its name, which nvcc tells: there is "
            "none, neither on PATH nor below CUDA_HOME"
        )
    said = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"release (\d+)\.(\d+)", said)
    if found is None:
        raise BuildError(f"{nvcc} does not say which version of CUDA it is of")
    return f"cu{found[1]}{found[2]}"
