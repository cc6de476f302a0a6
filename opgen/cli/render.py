"""`opgen render`: writes the package, or reports which files would change."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cli.console import print_found, print_json, read_config, say, say_waiting
from opgen.compiler.discovery import shown, spec_sources, specs_below
from opgen.compiler.project_sources import awaited_kernels, listed
from opgen.source.failure import Failure
from opgen.source.garbage import uncollected
from opgen.source.terminal import visible, visible_lines
from opgen.source.version import __version__
from opgen.spec.config import Config

if TYPE_CHECKING:
    from opgen.output.files import File
    from opgen.output.write import Changes


@uncollected()
def render(
    paths: Sequence[Path] = (),
    format: str = "text",
    out: Path | None = None,
    check: bool = False,
    diff: bool = False,
    force: bool = False,
    cache: bool = True,
    targets: Sequence[str] | None = None,
    warn: Callable[[str], None] | None = None,
    changed: frozenset[str] = frozenset(),
) -> int:
    """Render the project's specs, and return the exit code.

    Write the files. With `check` or `diff`, print the changes instead. `warn` is called with a line
    for each part that the package lacks. By default, these lines are printed to stderr.
    `changed` are rendered files that are known to have changed since the last render.
    """
    from opgen.output import ejected, write
    from opgen.output.cache import Cache, Known
    from opgen.spec.extensions import builtin_targets, default_targets

    config = read_config(paths, format)
    sources = spec_sources(paths, config)
    out = shown(config.out_dir) if out is None else out
    _refuse_some(paths, sources, config, out)
    refuse_newer(out)
    chosen = tuple(targets or config.targets or default_targets())
    # The cache is only used for built-in targets. Other targets may read files that opgen does not
    # know.
    remember = cache and {*chosen} <= {*builtin_targets()}
    memory = Cache(config, chosen, out, hashed=check or diff or force) if remember else None
    known = Known() if memory is None else memory.read(sources, changed)
    if known.said:
        if format == "json":
            print("[]")
        say(known.said[0])
        for line in known.said[1:]:
            (warn or say)(line)
        return 0

    # This imports modules that an unchanged render does not need.
    from opgen.output.compile import compile

    compiled = compile(sources, config, chosen, known)
    if compiled.files is None:
        print_found(compiled.found, compiled.sources, format)
        return 1
    files, differing = ejected.without(compiled.files, ejected.read(out))
    lines = list(awaited_kernels(compiled.awaited, config))
    if differing:
        lines.append(f"ejected, and not what the specs say any more: {listed(differing)}")

    def keep(changes: write.Changes) -> None:
        own = force or not (changes.edited or changes.forgotten)
        if memory is not None and compiled.record is not None and own:
            said = (f"{len(files)} files in {out}: 0 written, 0 removed", *lines)
            memory.keep(replace(compiled.record, said=said))

    try:
        if check or diff:
            changes = write.check(files, out, partial=bool(targets))
        else:
            changes = write.write(
                files,
                out,
                force=force,
                partial=bool(targets),
                waiting=say_waiting,
                written=keep,
            )
    except write.FilesChanged as error:
        # A person, an editor or another render has changed these files.
        changed |= error.paths
        return render(paths, format, out, check, diff, force, cache, targets, warn, changed)
    if compiled.found:
        print_found(compiled.found, compiled.sources, format)
    if check or diff:
        return _compare(changes, files, out, diff, format)
    kept = () if force else (*changes.edited, *changes.forgotten)
    removed = {*changes.orphaned, *changes.forgotten} - {*kept}
    written = {*changes.missing, *changes.stale, *changes.edited, *changes.converted} - {*kept}
    say(f"{len(files)} files in {out}: {len(written)} written, {len(removed)} removed")
    if removed:
        say(f"removed, for no spec renders them: {listed(sorted(removed))}")
    if changes.converted:
        say(_converted(changes, out))
    for line in lines:
        (warn or say)(line)
    if format == "json":
        print_json([{"file": str(out / path), "change": "edited"} for path in kept])
    else:
        for path in kept:
            print(f"{out / path}: edited by hand and kept; --force replaces it")
    return 1 if kept else 0


def refuse_newer(out: Path) -> None:
    """Raise `Failure` if a newer opgen has rendered `out`."""
    from opgen.output.files import newer_than_this

    version = newer_than_this(out)
    if version is not None:
        raise Failure(
            f"{out} was rendered by opgen {version}, and this is opgen {__version__}: install "
            f"{version} or a newer one, or remove {out} to render it with this one"
        )


def refuse_stale(config: Config) -> None:
    """Raise `Failure` if the package does not match the specs, and print the differences."""
    if render(check=True):
        raise Failure(f"{shown(config.out_dir)} is not what the specs say: run `opgen render`")


def _refuse_some(paths: Sequence[Path], specs: Iterable[str], config: Config, out: Path) -> None:
    """Raise `Failure` if only some of the specs would be rendered into the project's output folder.

    Such a render would remove the files of the other specs. Files that are rendered from all specs
    would lack the ops of the other specs.
    """
    whole = not paths or not config.specs_dir.is_dir()
    if whole or out.absolute() != config.out_dir.absolute():
        return
    given = set(map(os.path.realpath, specs))
    every = (source.path for source in specs_below(shown(config.specs_dir), config.out_dir))
    missing = [path for path in every if os.path.realpath(path) not in given]
    if missing:
        raise Failure(
            f"{out} is rendered from all specs of the project, and {listed(missing)} would "
            "be left out: run `opgen render` without paths (what has not changed is not "
            "rendered again), or name another folder with --out"
        )


def _compare(changes: Changes, files: Sequence[File], out: Path, diff: bool, format: str) -> int:
    if format == "json":
        listed_ = vars(changes).items()
        print_json([{"file": str(out / p), "change": kind} for kind, ps in listed_ for p in ps])
    else:
        print_changes(changes, out)
    if changes:
        say("the package is not what the specs say: run `opgen render`")
    if diff:
        from opgen.output.render_diff import differences

        sys.stdout.writelines(differences(files, changes, out))
    return 1 if changes else 0


def print_changes(changes: Changes, out: Path) -> None:
    for kind, paths in vars(changes).items():
        for path in paths if kind != "converted" else ():
            print(f"{kind}: {visible(str(out / path))}")
    if changes.converted:
        print(f"converted: {visible_lines(_converted(changes, out))}")


def _converted(changes: Changes, out: Path) -> str:
    """Return a message about files with CRLF line ends: the cause, and the fix."""
    paths = [os.fspath(out / path) for path in changes.converted]
    attributes = f"{out.as_posix()}/** -text"
    return (
        f"the lines of {listed(paths)} end in CRLF, as git writes them with `core.autocrlf`: "
        f"a line `{attributes}` in .gitattributes keeps them as they are rendered"
    )
