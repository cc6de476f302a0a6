"""The table of resources that the compiler gave CUDA kernels, from cuobjdump's output."""

from __future__ import annotations

import subprocess
from pathlib import Path

from scripts import cuda_resources

INNER = "_ZN9generated4cuda12_GLOBAL__N_14rowsIfEEvlPKT_"
OUTER = "_ZN5opgen4cuda11column_sumsIffEEvllPKT_PT0_"
USAGE = f"""
 Function {INNER}:
  REG:128 STACK:104 SHARED:16640 LOCAL:0 CONSTANT[0]:424
 Function {OUTER}:
  REG:32 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:400
"""
ELF = f""".nv.info.{INNER}
	<0x1>
	Attribute:	EIATTR_MAX_THREADS
	Format:	EIFMT_SVAL
	Value:	0x200 0x1 0x1 
.nv.info.{OUTER}
	Attribute:	EIATTR_REGCOUNT
.text
"""


def test_the_table_has_a_row_for_each_kernel(monkeypatch) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 0, ELF if "-elf" in command else USAGE, "")

    monkeypatch.setattr(cuda_resources, "cuobjdump", lambda: "cuobjdump")
    monkeypatch.setattr(cuda_resources.subprocess, "run", run)
    monkeypatch.setattr(cuda_resources, "LOADED", {"rows": 32})
    found = cuda_resources.instances(Path("library.so"))
    assert [(i.kernel, i.threads) for i in found] == [("rows", 512), ("column_sums", 1024)]
    # Two blocks of 256 threads have 128 registers for each thread.
    assert cuda_resources.table(found).splitlines()[2:] == [
        "| `rows` | 1 | 128 to 128 | 16640 | 104 in 1 | 25% | 16 | 100%, 89% |",
        "| `column_sums` | 1 | 32 to 32 |  |  | 100% |  |  |",
    ]


def test_the_page_has_a_place_for_the_table() -> None:
    text = cuda_resources.PAGE.read_text()
    begin, end = text.index(cuda_resources.BEGIN), text.index(cuda_resources.END)
    missing = [name for name in cuda_resources.LOADED if f"| `{name}` |" not in text[begin:end]]
    assert missing == []
