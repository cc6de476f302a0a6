"""A process refuses to load a second package with the same namespace, and names both."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NAMES = {
    "torch": "import torch; x = torch.ones(3)",
    "jax": "import jax.numpy as jnp; x = jnp.ones(3)",
}

# Loads one package, then tries to load the other. The first must still work afterwards.
PROGRAM = """
{make}
from generated.{first} import relu
import sys; sys.path.insert(0, {folder!r})
before = relu(x)
try:
    import second.generated.{then}{also}
except ImportError as refused:
    said = str(refused)
else:
    raise SystemExit("both are loaded")
assert "generated is loaded already, from {root}/generated/lib" in said, said
assert "cannot be loaded from {folder}/second/generated/lib too: import one of the two" in said, said
assert (relu(x) == before).all()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package `generated`, like one that another project vendors."""
    folder = tmp_path_factory.mktemp("two")
    left_out = shutil.ignore_patterns("tests", "docs", "cpp", "neuron", "__pycache__")
    shutil.copytree(ROOT / "generated", folder / "second/generated", ignore=left_out)
    return folder


def run(program: str) -> None:
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("then", NAMES)
@pytest.mark.parametrize("first", NAMES)
def test_the_second_is_refused(folder: Path, first: str, then: str) -> None:
    # In JAX the first call loads the library.
    also = (
        "\n    second.generated.jax.relu(__import__('jax').numpy.ones(3))" if then == "jax" else ""
    )
    told = {"make": NAMES[first], "first": first, "then": then, "also": also}
    run(PROGRAM.format(**told, folder=str(folder), root=ROOT))


def test_both_frameworks_of_one_package(folder: Path) -> None:
    """Both frameworks of one package can be loaded, even if a symbolic link leads to its folder."""
    (folder / "link").symlink_to(folder / "second")
    uses = "import torch, jax\nimport generated.torch, generated.jax\n"
    calls = "generated.torch.relu(torch.ones(2))\ngenerated.jax.relu(jax.numpy.ones(2))\n"
    run(f"import sys; sys.path.insert(0, {str(folder / 'link')!r})\n{uses}{calls}")
