"""The names of an op's tables, grouped by the way in which `like` merges them."""

from __future__ import annotations

TENSOR_TABLES = ("inputs", "outputs", "residuals", "workspace")
# Tables of named entries. An op's entries are added to the inherited ones.
MERGED = (*TENSOR_TABLES, "dtypes", "let", "attrs", "dims", "descriptor")
# Tables that replace the inherited table, because their keys depend on each other.
REPLACED = ("grad", "kernels")
