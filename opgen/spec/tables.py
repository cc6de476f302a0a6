"""The tables of an op."""

from __future__ import annotations

TENSOR_TABLES = ("inputs", "outputs", "residuals", "workspace")
# Tables whose entries are tables too, which merge key by key.
MERGED = (*TENSOR_TABLES, "dtypes", "let", "attrs", "dims", "descriptor")
# Tables that are replaced whole, because their keys depend on each other.
REPLACED = ("grad", "kernels")
