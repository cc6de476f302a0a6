"""The ops for PyTorch."""

from opgen.language.dtypes import DTYPES
from opgen.spec.extensions import Extension

TORCH_NAMES = {name: dtype.numpy for name, dtype in DTYPES.items()}
# A dim of this type counts bytes in PyTorch, which hold two values each.
TORCH_NAMES |= {"f4e2m1": "float4_e2m1fn_x2"}
EXTENSION = Extension(
    title="PyTorch",
    dtypes={n: torch for n, torch in TORCH_NAMES.items() if DTYPES[n].bits >= 8},
    models="opgen.targets.torch.models",
    lint="opgen.targets.torch.lint",
)
