"""What every op is completed with, beyond its kernels. Rendered by opgen.

Fake kernels, autograd rules, batching, sharding, costs, references, optimizers, and what
to say when a call is wrong.
"""

from .call import explain, sizes, wanted_bits
from .eager import eager, traced
from .fallback import fall_back
from .flops import count_flops
from .kinds import number
from .optimizer import Optimizer, scalar
from .out import register_out, write
from .references import backward_reference, define_gradient, reference
from .registration import register
from .sharding import follow, shard

__all__ = [
    "Optimizer",
    "backward_reference",
    "count_flops",
    "define_gradient",
    "eager",
    "explain",
    "fall_back",
    "follow",
    "number",
    "reference",
    "register",
    "register_out",
    "scalar",
    "shard",
    "sizes",
    "traced",
    "wanted_bits",
    "write",
]
