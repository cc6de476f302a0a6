"""Eight virtual CPU devices for JAX, in whichever suite its backend starts first.

Projects that tests build are compiled as fast as can be: what is timed is built before.
"""

import os

FLAG = "--xla_force_host_platform_device_count"

if FLAG not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {FLAG}=8".strip()

os.environ.setdefault("CMAKE_BUILD_TYPE", "Debug")
