"""Export every op with its gradient, or call programs that another version has exported."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

import jax
import jax.numpy as jnp
from jax import export

from tests.versions.changes import call, ops_of

sys.path.insert(0, sys.argv[1])
folder, save, later = Path(sys.argv[2]), sys.argv[3] == "save", sys.argv[4] == "later"
package = import_module("versions_ops.jax")
X, W = jnp.arange(32.0).reshape(4, 8), jnp.ones((4, 8))
jax.config.update("jax_enable_x64", True)
found = {}
for name in ops_of(package):
    op = getattr(package, name)

    def function(x, w, op=op, name=name):
        return call(op, name, later, x, w)

    weight = W.astype("float64") if name == "input_dtype" and later else W
    own = jax.jit(function)(X, weight)
    if save:
        check = export.DisabledSafetyCheck.custom_call(f"versions_ops.{name}")
        made = export.export(jax.jit(function), disabled_checks=[check])(X, weight)
        (folder / name).write_bytes(made.serialize())
    made = export.deserialize((folder / name).read_bytes())
    try:
        y = made.call(X, W)
        found[name] = (
            "same"
            if y.dtype == own.dtype and y.shape == own.shape and (y == own).all()
            else "stale"
        )
    except Exception as error:  # raised by XLA or export
        found[name] = "refused" if "another state of the op" in str(error) else str(error)
print(json.dumps(found))
