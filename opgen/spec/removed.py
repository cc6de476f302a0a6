"""Keys that the language had before version 1, and what to write instead.

`opgen lint --fix` leaves these keys out.
"""

from __future__ import annotations

from collections.abc import Mapping

# By table and key.
REMOVED: Mapping[tuple[str, str], str] = {
    (
        "Sharding",
        "excuses",
    ): "leave it out: the tests know from `split` where an op may move more bytes",
}
