"""References, whose arguments are called as builtins and modules are."""


def times(xp, jnp, error, *, float, type, ValueError):
    return jnp * error * float + type * (0 if ValueError else 1)
