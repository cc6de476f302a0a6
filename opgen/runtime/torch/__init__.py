"""What every op is completed with, beyond its kernels. Rendered by opgen.

Fake kernels, autograd rules, batching, sharding, costs, references, optimizers, layers of
models, and what to say when a call is wrong.
"""

from .call import explain, sizes, wanted_bits
from .eager import eager, traced
from .fallback import fall_back
from .flops import count_flops
from .gradient import (
    Backward,
    Case,
    Formula,
    Refuse,
    Require,
    Zero,
    argument,
    cotangent,
    dtype,
    forward,
    larger,
    length,
    present,
    result,
    smaller,
    where,
)
from .kinds import number
from .lengths import filled
from .listed import listed, tuned
from .optimizer import Optimizer, scalar
from .out import register_out, write
from .patching import Patch, offer, patch
from .programs import saved
from .references import backward_reference, define_gradient, reference
from .registration import register
from .seeds import seed
from .sharding import follow, shard

__all__ = [
    "Backward",
    "Case",
    "Formula",
    "Optimizer",
    "Patch",
    "Refuse",
    "Require",
    "Zero",
    "argument",
    "backward_reference",
    "cotangent",
    "count_flops",
    "define_gradient",
    "dtype",
    "eager",
    "explain",
    "fall_back",
    "filled",
    "follow",
    "forward",
    "larger",
    "length",
    "listed",
    "number",
    "offer",
    "patch",
    "present",
    "reference",
    "register",
    "register_out",
    "result",
    "saved",
    "scalar",
    "seed",
    "shard",
    "sizes",
    "smaller",
    "traced",
    "tuned",
    "wanted_bits",
    "where",
    "write",
]
