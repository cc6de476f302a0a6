"""The keys of `jax`, the options of an op for JAX."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from opgen.spec.models.strings import Line, Name
from opgen.spec.models.types import doc

REMOVED = {
    "JaxOptions": {
        "attrs": "leave it out: attrs reach a kernel one by one",
        "opaque": "leave it out: C and C++ call the entries of `lib<namespace>_kernels`",
        "optimizer": "write the optimizer in `<family>_jax.py` next to the spec, which the package"
        " copies and offers (docs/language/modules.md)",
    }
}


class Options(TypedDict, total=False):
    """Options of the JAX target."""

    module: Annotated[
        Name,
        doc(
            "The name of its modules in Flax NNX and in Equinox, whose parameters are the inputs "
            "with an `init`. By default there are none.",
            "RMSNorm",
        ),
    ]
    nnx: Annotated[
        dict[Name, Name],
        doc(
            "What the module of Flax NNX calls sizes, attrs and parameters. By default they are called as here.",
            {"num_features": "norm", "scale": "weight", "epsilon": "eps"},
        ),
    ]
    nnx_init: Annotated[
        dict[Name, Line],
        doc(
            "The initializers of parameters in the module of Flax NNX, where its own layers start "
            "otherwise: a name of `nnx.initializers`, called with constants. By default that of "
            "their `init`.",
            {"weight": 'nnx.initializers.variance_scaling(1.0, "fan_in", "normal", out_axis=0)'},
        ),
    ]
    equinox: Annotated[
        dict[Name, Name],
        doc(
            "What the module of Equinox calls sizes, attrs and parameters. By default they are called as here.",
            {"shape": "norm"},
        ),
    ]
