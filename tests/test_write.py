"""The file writer is atomic, writes only changes, keeps edited files, and stays in its folder."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opgen.output import parallel
from opgen.output import write as output
from opgen.output.files import MANIFEST, manifest
from opgen.output.write import WriteError, check, write
from opgen.targets.target import OutputFile


def rendered(**texts: str) -> list[OutputFile]:
    files = [OutputFile(path.replace("__", "/"), text) for path, text in texts.items()]
    files.sort(key=lambda file: file.path)
    return [*files, OutputFile(MANIFEST, manifest(files))]


def tree(out: Path) -> dict[str, str]:
    return {
        path.relative_to(out).as_posix(): path.read_text()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def test_writes_what_was_rendered(tmp_path: Path) -> None:
    files = rendered(a="1\n", deep__er__b="2\n")
    assert write(files, tmp_path / "out").missing == ("a", "deep/er/b", MANIFEST)
    assert tree(tmp_path / "out") == {file.path: file.text for file in files}
    assert not check(files, tmp_path / "out")
    subprocess.run(["sha256sum", "-c", "--quiet", MANIFEST], cwd=tmp_path / "out", check=True)


def test_touches_only_what_changed(tmp_path: Path) -> None:
    write(rendered(a="1", b="2"), tmp_path)
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in ("a", "b")}
    changes = write(rendered(a="1", b="3"), tmp_path)
    assert changes.stale == ("b", MANIFEST)
    assert (tmp_path / "a").stat().st_mtime_ns == before["a"]
    assert (tmp_path / "b").stat().st_mtime_ns != before["b"]
    assert not write(rendered(a="1", b="3"), tmp_path)


def test_check_writes_nothing(tmp_path: Path) -> None:
    files = rendered(a="1")
    assert check(files, tmp_path / "out").missing == ("a", MANIFEST)
    assert not (tmp_path / "out").exists()
    write(files, tmp_path / "out")
    before = tree(tmp_path / "out")
    assert check(rendered(b="2"), tmp_path / "out").orphaned == ("a",)
    assert tree(tmp_path / "out") == before


def test_keeps_an_edited_file(tmp_path: Path) -> None:
    write(rendered(a="1"), tmp_path)
    (tmp_path / "a").write_text("mine")
    assert write(rendered(a="2"), tmp_path).edited == ("a",)
    assert (tmp_path / "a").read_text() == "mine"
    assert check(rendered(a="2"), tmp_path).edited == ("a",)
    write(rendered(a="2"), tmp_path, force=True)
    assert (tmp_path / "a").read_text() == "2"


def test_keeps_a_file_that_was_there_before(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    assert write(rendered(a="1"), tmp_path).edited == ("a",)
    assert (tmp_path / "a").read_text() == "mine"


def test_removes_orphans_and_their_folders(tmp_path: Path) -> None:
    write(rendered(a="1", sub__b="2", sub__c="3"), tmp_path)
    (tmp_path / "sub" / "c").write_text("mine")
    (tmp_path / "stranger").write_text("x")
    changes = write(rendered(a="1"), tmp_path)
    assert changes.orphaned == ("sub/b",)
    assert changes.forgotten == ("sub/c",)
    assert sorted(tree(tmp_path)) == [MANIFEST, "a", "stranger", "sub/c"]
    write(rendered(x__y__z="1"), tmp_path)
    write(rendered(a="1"), tmp_path)
    assert not (tmp_path / "x").exists()


def test_a_manifest_cannot_lead_outside(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("1")
    out = tmp_path / "out"
    write(rendered(a="1"), out)
    digest = OutputFile("x", "1").digest
    (out / "lib").mkdir()
    (out / "lib" / "x").write_text("1")
    for path in ("../victim", str(victim), "sub/../../victim", "lib/x", ""):
        with open(out / MANIFEST, "a") as file:
            file.write(f"{digest}  {path}\n\xff\n")
    write(rendered(a="2"), out)
    assert victim.exists() and (out / "lib" / "x").exists()


def test_a_symbolic_link_to_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sub").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WriteError, match="symbolic link"):
        write(rendered(sub__a="1"), tmp_path / "out", force=True)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_symbolic_link_to_a_file_is_replaced_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    out = tmp_path / "out"
    out.mkdir()
    (out / "a").symlink_to(victim)
    assert write(rendered(a="1"), out).edited == ("a",)
    assert (out / "a").is_symlink()
    write(rendered(a="1"), out, force=True)
    assert (out / "a").read_text() == "1" and not (out / "a").is_symlink()
    assert victim.read_text() == "mine"


def test_odd_things_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    os.mkfifo(tmp_path / "b")
    assert write(rendered(a="1", b="2"), tmp_path).edited == ("a", "b")
    with pytest.raises(WriteError, match="a"):
        write(rendered(a="1"), tmp_path, force=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteError):
        write(rendered(a="1"), tmp_path / "file")


WRITER = """
import sys
from itertools import count
from pathlib import Path
sys.path.insert(0, {here!r})
from test_write import many
from opgen.output.write import write
out, start = Path(sys.argv[1]), int(sys.argv[2])
for generation in count(start):
    write(many(generation), out)
    print(generation, flush=True)
"""


def many(generation: int) -> list[OutputFile]:
    """Return a project whose files all change by `generation`; some of them appear or disappear."""
    names = [f"d{n % 4}__f{n}" for n in range(12) if (n + generation) % 5]
    return rendered(**{name: f"{generation} of {name}\n" * 50 for name in names})


def start_writer(out: Path, generation: int) -> subprocess.Popen[bytes]:
    script = WRITER.format(here=str(Path(__file__).parent))
    return subprocess.Popen(
        [sys.executable, "-c", script, str(out), str(generation)], stdout=subprocess.DEVNULL
    )


def test_several_processes_write_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "FILES_PER_PROCESS", 1)
    monkeypatch.setattr(parallel, "processors", lambda: 3)
    for generation in (0, 1):
        write(many(generation), tmp_path)
        assert tree(tmp_path) == {file.path: file.text for file in many(generation)}
    (tmp_path / "d1" / "f1").unlink()
    (tmp_path / "d1" / "f1").mkdir()
    with pytest.raises(WriteError, match="Is a directory"):
        write(many(2), tmp_path, force=True)


def test_two_at_once_take_turns(tmp_path: Path) -> None:
    writers = [start_writer(tmp_path, n) for n in (0, 5000)]
    time.sleep(1.0)
    assert all(writer.poll() is None for writer in writers), "one of them failed"
    for writer in writers:
        writer.kill()
        writer.wait()
    assert not write(many(7), tmp_path).edited


def test_some_targets_leave_the_files_of_others(tmp_path: Path) -> None:
    write(rendered(core__a="1", torch__b="2"), tmp_path)
    assert check(rendered(core__a="3"), tmp_path, partial=True).stale == ("core/a", MANIFEST)
    write(rendered(core__a="3", core__c="4"), tmp_path, partial=True)
    whole = rendered(core__a="3", core__c="4", torch__b="2")
    assert tree(tmp_path) == {file.path: file.text for file in whole}
    assert not check(whole, tmp_path)
    assert not check(rendered(core__a="3"), tmp_path, partial=True)


def test_lines_that_end_in_crlf(tmp_path: Path) -> None:
    """Files with CRLF line ends count as unedited, and outdated ones are removed.

    Git writes such line ends on Windows.
    """
    write(rendered(a="1\n", b="2\n", c="3\n"), tmp_path)
    for name in ("a", "b", MANIFEST):
        path = tmp_path / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (tmp_path / "c").write_bytes(b"mine\r\n")
    files = rendered(a="1\n", c="3\n")
    changes = write(files, tmp_path)
    assert (changes.converted, changes.orphaned, changes.edited) == (("a",), ("b",), ("c",))
    assert tree(tmp_path) == {**{file.path: file.text for file in files}, "c": "mine\n"}
