"""The PyTorch side of every op, apart from its kernels.

It contains fake kernels, autograd rules, batching, sharding, references, estimates of costs,
replacements for model layers, and error messages for wrong calls.
"""

from .call import explain, sizes, wanted_bits
from .eager import eager, traced
from .fallback import fall_back
from .flops import count_flops
from .kinds import number
from .lengths import filled
from .listed import listed, tuned
from .out import register_out, write
from .patching import Patch, patch, register_patch
from .programs import saved
from .references import define_gradient, reference
from .registration import register
from .replacing import replace
from .seeds import seed

__all__ = [
    "Patch",
    "count_flops",
    "define_gradient",
    "eager",
    "explain",
    "fall_back",
    "filled",
    "listed",
    "number",
    "patch",
    "reference",
    "register",
    "register_out",
    "register_patch",
    "replace",
    "saved",
    "seed",
    "sizes",
    "traced",
    "tuned",
    "wanted_bits",
    "write",
]
