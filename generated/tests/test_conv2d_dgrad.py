"""Conformance tests of `conv2d_dgrad`.

Rendered by opgen from conv2d.toml: edit the spec, not this file.
"""

import pytest

from opgen.testing import agreement, cases, jax_checks, jax_kinds, load, torch_checks, torch_kinds

SUBJECT = load(__file__, "conv2d_dgrad", package="generated", namespace="generated")
CASES = cases(SUBJECT.op)


def test_descriptor():
    agreement.descriptor(SUBJECT)


def test_torch_kinds_refused():
    torch_kinds.refused(SUBJECT)


def test_torch_kinds_compiled():
    torch_kinds.compiled(SUBJECT)


def test_jax_kinds_refused():
    jax_kinds.refused(SUBJECT)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_torch_fake(case):
    torch_checks.fake(SUBJECT, case)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_jax_abstract(case):
    jax_checks.abstract(SUBJECT, case)
