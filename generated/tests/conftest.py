"""Set up eight virtual devices for the sharding checks, and skip checks without a framework. Rendered by opgen."""

import importlib.util
import os
import pathlib

import pytest

FLAG = "--xla_force_host_platform_device_count"

# JAX reads the flag when it starts its backend.
if FLAG not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAG}=8".strip()


PACKAGE = pathlib.Path(__file__).parents[1]
MARKER = "gpu: needs an NVIDIA GPU, and is skipped without one"


def pytest_configure(config):
    config.addinivalue_line("markers", MARKER)


def pytest_runtest_setup(item):
    """Skip the checks of a framework that is not installed or not rendered."""
    checked = item.name.partition("[")[0].split("_")
    for framework in {"torch", "jax"} & {*checked}:
        if item.path.parent != PACKAGE / "tests":
            continue
        if importlib.util.find_spec(framework) is None:
            pytest.skip(f"{framework} is not installed")
        if not (PACKAGE / framework).is_dir():
            pytest.skip(f"nothing is rendered for {framework}")
