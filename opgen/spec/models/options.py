"""Models of the options of targets."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from opgen.spec.models.strings import Name, OpName
from opgen.spec.models.types import SOME, STRICT, Positive, doc

Names = dict[Name, Name | Annotated[list[Name], SOME]]


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
    optimizer: Annotated[
        Name,
        doc(
            "The name of its `torch.optim.Optimizer`: the updated list without an `init` holds the parameters, the list that is only read their gradients; what has an `init` is state, where it is updated, or an option. By default there is none.",
            "SGD",
        ),
    ]
    names: Annotated[
        Names,
        doc(
            "What PyTorch calls an optimizer's state and options; several attrs are one option, a tuple. By default they are called as here.",
            {"betas": ["beta1", "beta2"], "exp_avg": "exp_avgs"},
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
    optimizer: Annotated[
        Name,
        doc(
            "The name of a function that makes an optimizer of it, an `init` and an `update` as optax has them; what is what is told as for PyTorch. By default there is none.",
            "sgd",
        ),
    ]
    names: Annotated[
        Names,
        doc(
            "What JAX calls an optimizer's state and options; several attrs are one option, a tuple. By default they are called as here.",
            {"learning_rate": "lr"},
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
