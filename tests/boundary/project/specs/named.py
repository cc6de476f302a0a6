"""A reference whose arguments have names of builtins and modules."""


def times(xp, jnp, error, *, float, type, ValueError):
    return jnp * error * float + type * (0 if ValueError else 1)
