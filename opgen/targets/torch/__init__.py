"""The ops for PyTorch."""

from opgen.language.dtypes import DTYPES
from opgen.spec.extensions import Extension

TORCH_NAMES = {name: dtype.numpy for name, dtype in DTYPES.items()}
TORCH_NAMES |= {"f4e2m1": "float4_e2m1fn_x2"}
EXTENSION = Extension(
    title="PyTorch",
    dtypes=TORCH_NAMES,
    models="opgen.targets.torch.models",
    lint="opgen.targets.torch.lint",
)
