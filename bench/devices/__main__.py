"""Trace a 70B Llama for thousands of devices and write docs/devices.md: `python -m bench.devices`.

Each framework runs in a separate process. `python -m bench.devices torch` (or `jax`) runs one
framework, and prints each step as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from importlib import import_module

from bench.devices.page import MEASURED, write
from opgen.bench.document import machine

FRAMEWORKS = "torch", "jax"


def main(chosen: list[str]) -> int:
    if chosen:
        for step in import_module(f"bench.devices.in_{chosen[0]}").steps():
            print(json.dumps(step.document()), flush=True)
        return 0
    steps = [step for framework in FRAMEWORKS for step in _apart(framework)]
    head = json.dumps({"date": date.today().isoformat(), "machine": machine()})
    rows = ",\n".join(map(json.dumps, steps))
    MEASURED.write_text(f'{head[:-1]}, "steps": [\n{rows}\n]}}\n')
    write()
    return 0


def _apart(framework: str) -> list[dict[str, object]]:
    """Run one framework in a separate process. Print each step as soon as it is traced, and return
    all steps.
    """
    command = [sys.executable, "-m", "bench.devices", framework]
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                print(line, end="", flush=True)
                found.append(json.loads(line))
    if process.returncode:
        raise SystemExit(f"{framework} failed")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
