"""The ops for PyTorch."""

from opgen.language.dtypes import DTYPES
from opgen.spec.extensions import Extension

TORCH_NAMES = {name: dtype.torch for name, dtype in DTYPES.items()}
EXTENSION = Extension(
    abi="opgen.targets.torch.schema",
    adapters="opgen.targets.torch.cpp.sources",
    title="PyTorch",
    dtypes={n: torch for n, torch in TORCH_NAMES.items() if DTYPES[n].bits >= 8},
    models="opgen.targets.torch.models",
    lint="opgen.targets.torch.lint",
    framework_files=True,
    offers=("Patch", "patch", "register_patch"),
)
