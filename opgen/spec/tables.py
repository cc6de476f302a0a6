"""The tables of an op, and which keys go with which role of tensor."""

from __future__ import annotations

# The keys of a tensor that only some roles have.
ROLES: dict[str, tuple[str, ...]] = {
    "bundle": ("inputs", "outputs"),
    "members": ("inputs", "outputs"),
    "dims": ("inputs", "outputs"),
    "optional": ("inputs", "outputs", "residuals"),
    "update": ("inputs",),
    "init": ("inputs", "outputs", "workspace"),
    "list": ("inputs", "outputs"),
    "layout": ("inputs", "outputs", "residuals"),
    "pitch": ("outputs", "residuals"),
    "values": ("inputs",),
    "differentiable": ("inputs", "outputs"),
    "reduce": ("inputs", "outputs", "residuals"),
    "length": ("outputs",),
}
TENSOR_TABLES = ("inputs", "outputs", "residuals", "workspace")
# Their entries are tables too, which merge key by key.
MERGED = (*TENSOR_TABLES, "dtypes", "let", "attrs", "dims", "descriptor")
# Whose parts mean something together alone; of any other table each key counts by itself.
REPLACED = ("grad", "kernels")
