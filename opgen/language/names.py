"""Convert names of the spec language to other naming styles."""

from functools import cache


@cache
def camel(name: str) -> str:
    """Convert `rms_norm` to `RmsNorm`, and `rotary_` to `Rotary_`."""
    return "".join(part[:1].upper() + part[1:] or "_" for part in name.split("_"))
