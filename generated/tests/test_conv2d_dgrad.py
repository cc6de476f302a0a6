"""Conformance tests of `conv2d_dgrad`.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

import pytest

from opgen.testing import (
    agreement,
    built,
    cases,
    hostile,
    jax_checks,
    jax_kinds,
    jax_sharding,
    jax_wrong_calls,
    load,
    torch_checks,
    torch_graphs,
    torch_kinds,
    torch_sharding,
    torch_transforms,
    torch_wrong_calls,
)

SUBJECT = load(__file__, "conv2d_dgrad", package="generated", namespace="generated")
CASES = cases(SUBJECT.op)


def test_hostile():
    hostile.conformance(SUBJECT)


def test_descriptor():
    agreement.descriptor(SUBJECT)


def test_kernel_is_built():
    built.kernel(SUBJECT)


def test_torch_kinds_refused():
    torch_kinds.refused(SUBJECT)


def test_torch_kinds_compiled():
    torch_kinds.compiled(SUBJECT)


def test_jax_kinds_refused():
    jax_kinds.refused(SUBJECT)


def test_torch_kinds_taken():
    torch_kinds.taken(SUBJECT)


def test_jax_kinds_taken():
    jax_kinds.taken(SUBJECT)


def test_torch_wrong_calls():
    torch_wrong_calls.conformance(SUBJECT)


def test_jax_wrong_calls():
    jax_wrong_calls.conformance(SUBJECT)


@pytest.mark.parametrize("case", CASES[:3], ids=str)
def test_torch_fake(case):
    torch_checks.fake(SUBJECT, case)


@pytest.mark.parametrize("case", CASES[:3], ids=str)
def test_jax_abstract(case):
    jax_checks.abstract(SUBJECT, case)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_inferred(case):
    agreement.inferred(SUBJECT, case)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_torch_and_jax_agree(case):
    agreement.bits(SUBJECT, case)


@pytest.mark.parametrize("case", CASES[:1], ids=str)
def test_torch_opcheck(case):
    torch_checks.opcheck(SUBJECT, case)


@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_torch_compiles(case):
    torch_checks.compiles(SUBJECT, case)


@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_torch_exports(case):
    torch_transforms.exports(SUBJECT, case)


def test_torch_graphs():
    torch_graphs.conformance(SUBJECT)


@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_torch_vmap(case):
    torch_checks.vmap(SUBJECT, case)


@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_jax_vmap(case):
    jax_checks.vmap(SUBJECT, case)


def test_jax_sharded():
    jax_sharding.conformance(SUBJECT, CASES)


def test_torch_sharded():
    torch_sharding.conformance(SUBJECT, CASES)
