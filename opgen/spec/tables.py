"""The tables of an op."""

from __future__ import annotations

TENSOR_TABLES = ("inputs", "outputs", "residuals", "workspace")
# Their entries are tables too, which merge key by key.
MERGED = (*TENSOR_TABLES, "dtypes", "let", "attrs", "dims", "descriptor")
# Whose parts mean something together alone; of any other table each key counts by itself.
REPLACED = ("grad", "kernels")
