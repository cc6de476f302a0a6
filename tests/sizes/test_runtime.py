"""A package that imports opgen-runtime names the runtime's objects as its own."""

from __future__ import annotations

import pickle
from types import ModuleType


def test_the_objects_of_the_runtime_belong_to_the_package(package: ModuleType) -> None:
    from padded._opgen.torch import call
    from padded.core import TensorSpec

    assert "opgen_runtime" in call.__file__
    assert call.Call.__module__ == "padded._opgen.torch.call"
    spec = TensorSpec((1,), "f32")
    assert type(pickle.loads(pickle.dumps(spec))) is TensorSpec
