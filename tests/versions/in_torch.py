"""Compile every op with its gradient, compare with eager, and print the results."""

from __future__ import annotations

import json
import sys
import threading
from importlib import import_module

import torch
from torch._dynamo.utils import counters

from tests.versions.changes import call, ops_of

sys.path.insert(0, sys.argv[1])
mode, later = sys.argv[2], sys.argv[3] == "later"
package = import_module("versions_ops.torch")
if mode == "tagged":
    torch.compiler.config.cache_key_tag = "the user's"
X, W = torch.arange(32.0).reshape(4, 8), torch.ones(4, 8)


def outcome(function, name):
    """Return the dtype and values of a result and its gradients, or the error of the call."""
    double = name == "input_dtype" and later
    x, w = X.clone().requires_grad_(), (W.double() if double else W.clone()).requires_grad_()
    try:
        y = function(x, w)
        y.sum().backward()
    except Exception as error:
        return ["refused", "cannot be differentiated" in str(error)]
    return [str(y.dtype), y.tolist(), x.grad.tolist(), w.grad.tolist()]


def all_of_them(found):
    for name in ops_of(package):
        op = getattr(package, name)
        # The fusion with the op's result depends on its dtype and order.
        own = (
            lambda x, w, op=op, name=name: call(op, name, later, x * 1.0, w * 1.0) * 2
        )  # noqa: E731
        torch._dynamo.reset()
        eager = outcome(own, name)
        compiled = outcome(torch.compile(own, fullgraph=True), name)
        found[name] = eager if eager == compiled else f"stale: {compiled} for {eager}"


found: dict[str, object] = {}
if mode == "thread":
    thread = threading.Thread(target=all_of_them, args=(found,))
    thread.start()
    thread.join()
else:
    all_of_them(found)
hits = counters["inductor"]["fxgraph_cache_hit"], counters["aot_autograd"]["autograd_cache_hit"]
print(json.dumps({"found": found, "hits": hits}))
