"""The keys of `torch`, the options of an op for PyTorch."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from opgen.spec.models.strings import Name
from opgen.spec.models.types import Names, doc


class Options(TypedDict, total=False):
    """Options of the PyTorch target."""

    out: Annotated[bool, doc("Whether there is an `.out` overload. `false` by default.", True)]
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
