"""Models of the options of targets."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from opgen.models.strings import Name, OpName
from opgen.models.types import STRICT, Positive, doc


class TorchOptions(TypedDict, total=False):
    """Options of the PyTorch target."""

    __pydantic_config__ = STRICT

    out: Annotated[
        bool, doc("Whether there is an `.out` overload. `false` by default.", True)
    ]
    module: Annotated[
        Name,
        doc(
            "The name of its `nn.Module`, whose parameters are the inputs with an `init`. By default there is none.",
            "Scale",
        ),
    ]


class JaxOptions(TypedDict, total=False):
    """Options of the JAX target."""

    __pydantic_config__ = STRICT

    attrs: Annotated[
        Literal["typed", "packed"],
        doc(
            "How attrs reach the kernel: `typed`, each by itself (the default), or `packed`, in the bytes of the descriptor.",
            "packed",
        ),
    ]
    opaque: Annotated[
        bool,
        doc(
            "Whether kernels can be called by XLA's opaque signature as well. `false` by default.",
            True,
        ),
    ]


class NeuronOptions(TypedDict, total=False):
    """Options of the Neuron target."""

    __pydantic_config__ = STRICT

    library: Annotated[
        OpName,
        doc(
            "The library of C++ operators that it is in. By default one for the package.",
            "my_ops",
        ),
    ]
    stack_size: Annotated[
        Positive,
        doc("The stack that its C++ kernel needs, in bytes. 6144 by default.", 20480),
    ]
