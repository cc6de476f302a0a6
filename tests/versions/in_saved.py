"""Export every op and package it with AOTInductor, or call programs that another version has saved."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import torch
import torch._inductor

from tests.versions.changes import call, ops_of

sys.path.insert(0, sys.argv[1])
folder, save, later = sys.argv[2], sys.argv[3] == "save", sys.argv[4] == "later"
kinds = sys.argv[5].split(",")
package = import_module("versions_ops.torch")
X, W = torch.arange(32.0).reshape(4, 8), torch.ones(4, 8)
torch._inductor.config.aot_inductor.compile_wrapper_opt_level = "O0"


class Program(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name, self.op = name, getattr(package, name)

    def forward(self, x, w):
        return call(self.op, self.name, later, x, w) * 2


def outcome(load, path, own):
    """Compare the result of a saved program with that of the present op."""
    try:
        y = load(path)(X, W)
    except Exception as error:
        # The second message is PyTorch's, for a program whose arguments the schema does not have.
        told = "another state of the op", "error when deserializing the saved file"
        return "refused" if any(text in str(error) for text in told) else f"error: {error}"
    return "same" if y.dtype == own.dtype and y.shape == own.shape and (y == own).all() else "stale"


def load_exported(path):
    return torch.export.load(path).module()


found: dict[str, dict[str, str]] = {kind: {} for kind in kinds}
with torch.no_grad():
    for name in ops_of(package):
        program = Program(name)
        weight = W.double() if name == "input_dtype" and later else W
        own = program(X, weight)
        for kind in found:
            path = f"{folder}/{name}.{kind}.pt2"
            load = torch._inductor.aoti_load_package if kind == "aoti" else load_exported
            if save:
                made = torch.export.export(program, (X, weight), strict=kind == "strict")
                if kind == "aoti":
                    torch._inductor.aoti_compile_and_package(made, package_path=path)
                else:
                    torch.export.save(made, path)
            found[kind][name] = outcome(load, path, own)
print(json.dumps(found))
