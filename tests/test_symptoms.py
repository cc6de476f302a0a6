"""Problems that people report in public threads, and the tests here that would show each.

The tests are in many modules; this is the list of them by thread. Each entry is `FILE::TEST`, or
`FAULT in FILE::TEST` for a fault that `tests/trust` plants.
"""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

import pytest

from tests.trust import faults, test_packages

ROOT = Path(__file__).parents[1]
KERNEL = "tests/trust/test_kernels.py::test_faults_are_found"
PACKAGE = "tests/trust/test_packages.py::test_found"

# Problem -> its threads, and the tests that would show it.
THREADS = {
    "which of many implementations ran": (
        "vllm#32358 vllm#33825 torchtitan#2391",
        "tests/boundary/test_listed.py::test_which_says_why_the_others_do_not",
        "tests/boundary/test_listed.py::test_one_is_forced",
    ),
    "a row's result depends on the batch that it is in": (
        "vllm#48271 vllm#48391 sglang#28787",
        f"order_by_batch in {KERNEL}",
        f"order_by_row in {KERNEL}",
        "generated/tests/test_ops.py::rms_norm::test_hostile",
    ),
    "built with the headers of a newer jaxlib": (
        "cuEquivariance#303",
        "tests/jax/test_ffi_version.py::test_a_newer_one_is_refused_in_a_sentence",
    ),
    "a failing call cannot be run again": (
        "flashinfer#2170 flashinfer#2206",
        "tests/shadow/test_shadow.py::test_every_fault_is_found",
        "tests/shadow/test_shadow.py::test_strides_come_back",
    ),
    "a kernel is replaced in deployment": (
        "flashinfer#3240",
        "tests/boundary/test_listed.py::test_another_library_adds_one",
        "tests/boundary/test_listed.py::test_the_environment_forces_one",
    ),
    "zeros pass, since tolerances are loose": (
        "KernelBench#165 torchtitan#4348",
        f"small_to_zero in {KERNEL}",
        f"sum_as_stored in {KERNEL}",
    ),
    "NaN hides itself, memory is stale, inputs are changed": (
        "KernelBench#82 flashinfer#4365",
        f"last_invrms_left in {KERNEL}",
        f"root_of_an_earlier_call in {KERNEL}",
        f"x_scaled in {KERNEL}",
        f"one_infinity in {KERNEL}",
    ),
    "an output has the memory of an input": (
        "vllm#36823",
        f"a result is an argument in {PACKAGE}",
    ),
    "two versions of a package in one process": (
        "kernel-builder#11 vllm-ascend#1239",
        "tests/runtime/test_two_versions.py::test_the_second_is_refused",
    ),
    "there is no forward mode": (
        "pytorch#131116 jax#19146",
        "tests/torch/test_rendered.py::test_forward_mode",
        "tests/jax/test_gradients.py::test_forward_mode",
    ),
    "the strides of a fake kernel are wrong": (
        "pytorch#182328 cuEquivariance#223 pytorch#183002",
        f"strides of a fake result in {PACKAGE}",
        "tests/boundary/test_strides.py::test_torch_traces_know_the_strides",
    ),
    "a backward is not connected": (
        "TileOPs#648",
        f"factor of a gradient in {PACKAGE}",
        "generated/tests/test_ops.py::rms_norm::test_torch_gradients",
    ),
    "DTensor gathers all": (
        "pytorch#167677 Liger#826",
        "tests/torch/test_dtensor_native.py::test_no_more_bytes_than_native",
    ),
    "custom_partitioning and explicit meshes": (
        "jax#34811",
        "tests/jax/test_sharding.py::test_explicit",
        "tests/jax/test_sharding.py::test_shard_map",
    ),
    "32-bit offsets wrap": (
        "mamba#1015 fla#1080 Liger#1296",
        f"place_of_32_bits in {KERNEL}",
        f"place_of_32_bits_with_sign in {KERNEL}",
    ),
}
PAIRS = [(symptom, test) for symptom, (_, *tests) in THREADS.items() for test in tests]


@pytest.mark.parametrize(("symptom", "test"), PAIRS)
def test_there_is_such_a_test(symptom: str, test: str) -> None:
    fault, _, place = test.rpartition(" in ")
    file, *within, name = place.split("::")
    if within:
        assert hasattr(runpy.run_path(str(ROOT / file))[within[0]], name)
    else:
        functions = [n for n in ast.parse((ROOT / file).read_text()).body if hasattr(n, "name")]
        assert name in {n.name for n in functions if n.name.startswith("test_")}
    if fault:
        planted = {n for _, n, _ in faults.NAMES} if place == KERNEL else set(test_packages.FAULTS)
        assert fault in planted


def test_each_row_names_threads() -> None:
    for threads, *tests in THREADS.values():
        assert tests and all(t.partition("#")[2].isdigit() for t in threads.split())
