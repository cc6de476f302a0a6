"""The projects of open files: their findings, with unsaved text in place of saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from opgen.compiler.discovery import SPEC, specs_below
from opgen.compiler.pipeline import findings, resolve, uncollected
from opgen.ir.op import Op
from opgen.output.spec_groups import groups, ties
from opgen.source.diagnostics import Diagnostic, errors
from opgen.source.source_file import SourceFile
from opgen.spec.config import Config, load_config
from opgen.spec.parse import parse_spec
from opgen.spec.spec import Spec


class Known(NamedTuple):
    """A spec when it was last read: its text, and the names that it may share with others."""

    text: str
    ties: frozenset[str] = frozenset()
    ops: frozenset[str] = frozenset()


class Checked(NamedTuple):
    """The findings of some files, which replace their earlier ones, and the sources of these."""

    files: frozenset[str]
    found: list[Diagnostic]
    sources: dict[str, SourceFile]


@dataclass
class Workspace:
    """Open files, by path, and what is known of the specs of their projects."""

    texts: dict[str, str] = field(default_factory=dict)
    known: dict[str, Known] = field(default_factory=dict)
    # By spec: other files that its findings are in, such as its reference.
    blamed: dict[str, set[str]] = field(default_factory=dict)
    # Names that specs no longer have: others that have them are checked again.
    lost: set[str] = field(default_factory=set)

    def source(self, path: str) -> SourceFile:
        """A file as its editor shows it."""
        text = self.texts.get(path)
        return SourceFile.read(Path(path)) if text is None else SourceFile(path, text)

    def check(self, path: str) -> Checked:
        """Check the specs that changed in the project of a file, and those that share a name."""
        config, problems, configured = load_config(Path(path))
        if problems and configured is not None:
            file = configured.path
            return Checked(frozenset({file}), problems, {file: configured})
        sources = {file: self.source(file) for file in self.specs(config, path)}
        stale = {f: s for f, s in sources.items() if f == path or self._changed(f, s)}
        for file in self.known.keys() - sources.keys():
            if Path(file).is_relative_to(config.root):
                del self.known[file]  # it was removed
        read, misread = self._read(stale)
        unread = stale.keys() - read.keys()
        if path in unread:
            # Its ops are unknown for now: what other specs say of them stays as it was.
            return Checked(frozenset(unread), misread, sources)
        chosen = self.together(stale, sources)
        again, more = self._read({f: sources[f] for f in chosen if f not in stale})
        return self._found(config, read | again, misread + more, chosen | unread, sources)

    def _changed(self, file: str, source: SourceFile) -> bool:
        return file not in self.known or self.known[file].text != source.text

    def _found(
        self,
        config: Config,
        specs: dict[str, Spec],
        misread: list[Diagnostic],
        files: set[str],
        sources: dict[str, SourceFile],
    ) -> Checked:
        own = {file: sources[file] for file in files}
        others = (k.ops for f, k in self.known.items() if f in sources and f not in files)
        with uncollected():
            found = findings(specs, misread, own, config, frozenset().union(*others))
        before = {f for file in files for f in self.blamed.pop(file, ())}
        for file in files:
            self.blamed[file] = own.keys() - files
        return Checked(frozenset(files | before | own.keys()), found, own)

    def specs(self, config: Config, path: str) -> list[str]:
        """The specs of a project, and `path` if it is one that lies elsewhere."""
        below = config.specs_dir
        found = [*specs_below(below, config.out_dir)] if below.is_dir() else []
        files = [file.as_posix() for file in found]
        own = path not in files and not Path(path).is_relative_to(config.out_dir)
        return [*files, path] if own and SPEC.search(self.source(path).text) else files

    def _read(self, sources: dict[str, SourceFile]) -> tuple[dict[str, Spec], list[Diagnostic]]:
        """Parse specs and remember their names; a spec that cannot be parsed keeps its old ones."""
        specs: dict[str, Spec] = {}
        misread: list[Diagnostic] = []
        for file, source in sources.items():
            spec, found = parse_spec(source)
            misread += found
            before = self.known.get(file, Known(""))
            if spec is not None:
                specs[file] = spec
                self.known[file] = Known(source.text, ties(spec), frozenset(spec.names("ops")))
                self.lost |= before.ties - self.known[file].ties
            else:
                self.known[file] = before._replace(text=source.text)
        return specs, misread

    def together(self, files: Iterable[str], sources: Iterable[str]) -> set[str]:
        """The specs that share a name with one of `files`, or shared one until now."""
        lost, self.lost = self.lost, set()
        tied = {f: self.known[f].ties for f in sources if f in self.known}
        wanted = {*files} | {f for f, names in tied.items() if names & lost}
        return {f for group in groups(tied) if wanted & {*group} for f in group}

    def op(self, path: str, name: str) -> Op | None:
        """An op of the project as it is resolved; None where its specs are wrong."""
        config, problems, _ = load_config(Path(path))
        sources = {file: self.source(file) for file in self.together([path], self.known)}
        specs, found = self._read(sources)
        if not found and not problems:
            found = findings(specs, [], dict(sources), config)
        if errors(found) or problems:
            return None
        ops = resolve(specs, sources, config).ops
        return next((op for op in ops if op.name == name), None)
