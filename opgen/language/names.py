"""Names of the language as other languages write them."""

from functools import cache


@cache
def camel(name: str) -> str:
    """`rms_norm` is `RmsNorm`, `rotary_` is `Rotary_`."""
    return "".join(part[:1].upper() + part[1:] or "_" for part in name.split("_"))
