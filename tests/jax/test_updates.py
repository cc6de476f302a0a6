"""Updated inputs: results reuse donated buffers without a copy."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from generated.jax import adamw_

SHAPES = ((4, 3), (7,))


def arrays(seed):
    return [jax.random.normal(jax.random.key(seed + n), s) for n, s in enumerate(SHAPES)]


def step(params, grads, exp_avgs, exp_avg_sqs, count):
    return adamw_(params, grads, exp_avgs, exp_avg_sqs, count, 1e-2)[:4]


def state():
    return arrays(0), arrays(10), arrays(20), [a**2 for a in arrays(30)], jnp.float32(3)


@pytest.fixture(scope="module")
def donated():
    """Return the step and its HLO, compiled with donation of all updated arguments."""
    function = jax.jit(step, donate_argnums=(0, 2, 3, 4))
    return function, function.lower(*state()).compile().as_text()


def test_the_custom_call_writes_where_it_reads(donated):
    _, hlo = donated
    (call,) = (line for line in hlo.split("\n") if "custom-call(" in line)
    aliases = re.search(r"output_to_operand_aliasing=\{(.*?)\}, [a-z]", call)[1]
    # Two parameters, four moments and the step count: seven results, each with a separate operand.
    assert len(set(re.findall(r"\{\d*\}: \((\d+),", aliases))) == 7


def test_donated_buffers_are_taken_over_and_not_copied(donated):
    _, hlo = donated
    header = hlo.split("\n")[0]
    assert len(re.findall(r"\{\d+\}: \(\d+, \{\}, (?:may|must)-alias\)", header)) == 7
    assert not re.search(r" copy\(| copy-start\(", hlo)
    plain = jax.jit(step).lower(*state()).compile().as_text()
    assert "input_output_alias" not in plain  # shows that the check can fail
    assert len(re.findall(r" copy\(", plain)) == 7


def test_values_and_what_becomes_of_the_arguments(donated):
    function, _ = donated
    given = state()
    wanted = step(*state())
    places = [x.unsafe_buffer_pointer() for x in jax.tree.leaves(given[0])]
    found = function(*given)
    for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_array_equal(x, y)
    assert [x.unsafe_buffer_pointer() for x in found[0]] == places
    assert all(x.is_deleted() for x in jax.tree.leaves((given[0], given[2:])))
    assert not any(x.is_deleted() for x in given[1])


def test_without_donation_the_arguments_stay_as_they_are():
    given = state()
    before = [np.array(x) for x in given[0]]
    jax.block_until_ready(step(*given))
    for x, y in zip(given[0], before):
        np.testing.assert_array_equal(x, y)
