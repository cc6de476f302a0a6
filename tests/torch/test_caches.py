"""Keys of PyTorch's compilation caches contain the hash of the package.

`tests/versions` compiles ops of two versions of a package, and shows that the keys suffice.
"""

from __future__ import annotations

import hashlib
import threading

import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.compiler import config

from generated._opgen.torch import caches
from generated.core._package import PACKAGE_HASH
from generated.torch import relu

TAG = f"generated-{PACKAGE_HASH}"


def plain():
    relu(torch.ones(3))


def with_out():
    torch.ops.generated.relu.out(torch.ones(3), out=torch.ones(3))


@pytest.mark.parametrize("call", [plain, with_out])
def test_a_trace_appends_the_tag(call):
    """A trace appends the tag once to the `cache_key_tag` that a user has set."""
    with config.patch(cache_key_tag="the user's"), FakeTensorMode():
        for _ in range(2):
            call()
            assert config.cache_key_tag == f"the user's {TAG}"


def test_new_threads_have_the_tag():
    """PyTorch compiles backwards in threads that trace no op."""
    found = []
    thread = threading.Thread(target=lambda: found.append(config.cache_key_tag))
    thread.start()
    thread.join()
    assert TAG in found[0]


def test_edited_files_change_the_tag(tmp_path, monkeypatch):
    monkeypatch.setattr(caches, "FOLDER", tmp_path)
    assert caches._ejected() == ""
    (tmp_path / "EJECTED").write_text("hash  relu.cpp\nhash  absent.cpp\n")
    (tmp_path / "relu.cpp").write_text("edited")
    assert caches._ejected() == f"-{hashlib.sha256(b'edited').hexdigest()[:12]}"
