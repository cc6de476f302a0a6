"""Eight virtual devices for the sharding checks. Rendered by opgen."""

import os

FLAG = "--xla_force_host_platform_device_count"

# JAX reads the flag when it starts its backend.
if FLAG not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAG}=8".strip()
