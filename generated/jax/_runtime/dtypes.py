"""JAX's element types by their names in specs. Rendered by opgen."""

import jax.numpy as jnp

DTYPES = {
    "bf16": jnp.dtype("bfloat16"),
    "f16": jnp.dtype("float16"),
    "f32": jnp.dtype("float32"),
    "f64": jnp.dtype("float64"),
    "i8": jnp.dtype("int8"),
    "i16": jnp.dtype("int16"),
    "i32": jnp.dtype("int32"),
    "i64": jnp.dtype("int64"),
    "u8": jnp.dtype("uint8"),
    "u16": jnp.dtype("uint16"),
    "u32": jnp.dtype("uint32"),
    "u64": jnp.dtype("uint64"),
    "bool": jnp.dtype("bool"),
    "f8e4m3": jnp.dtype("float8_e4m3fn"),
    "f8e5m2": jnp.dtype("float8_e5m2"),
    "f8e4m3fnuz": jnp.dtype("float8_e4m3fnuz"),
    "f8e5m2fnuz": jnp.dtype("float8_e5m2fnuz"),
    "f8e8m0": jnp.dtype("float8_e8m0fnu"),
    "f4e2m1": jnp.dtype("float4_e2m1fn"),
    "c64": jnp.dtype("complex64"),
    "c128": jnp.dtype("complex128"),
}

# How an attribute that is a dtype travels: by its code in descriptors.
CODES = {
    "bf16": 0,
    "f16": 1,
    "f32": 2,
    "f64": 3,
    "i8": 4,
    "i16": 5,
    "i32": 6,
    "i64": 7,
    "u8": 8,
    "u16": 9,
    "u32": 10,
    "u64": 11,
    "bool": 12,
    "f8e4m3": 13,
    "f8e5m2": 14,
    "f8e4m3fnuz": 15,
    "f8e5m2fnuz": 16,
    "f8e8m0": 17,
    "f4e2m1": 18,
    "c64": 19,
    "c128": 20,
}
