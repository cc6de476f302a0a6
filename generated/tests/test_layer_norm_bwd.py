"""Conformance tests of `layer_norm_bwd`.

Rendered by opgen from layer_norm.toml: edit the spec, not this file.
"""

import pytest

from opgen.testing import agreement, cases, jax_checks, load, torch_checks

SUBJECT = load(__file__, "layer_norm_bwd", package="generated", namespace="generated")
CASES = cases(SUBJECT.op)
FLOATING = cases(SUBJECT.op, floating=True)


def test_descriptor():
    agreement.descriptor(SUBJECT)


def test_torch_refusals():
    torch_checks.refusals(SUBJECT)


def test_jax_refusals():
    jax_checks.refusals(SUBJECT)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_torch_fake(case):
    torch_checks.fake(SUBJECT, case)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_jax_abstract(case):
    jax_checks.abstract(SUBJECT, case)
