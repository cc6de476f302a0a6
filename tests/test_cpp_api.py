"""The page about C++ headers contains each documented function of each public header."""

from __future__ import annotations

import re

from opgen.build.runtime_files import include_dir
from opgen.docs.cpp_api import HEADERS, cpp_api


def test_every_comment_is_on_the_page() -> None:
    page = cpp_api(include_dir())
    names = [name for group in HEADERS.values() for name in group]
    for name in names:
        text = (include_dir() / "opgen" / f"{name}.h").read_text()
        section = page[page.index(f"### `opgen/{name}.h`") :].split("\n### ")[0]
        lines = re.sub(r"(?:^ *///.*\n)+(?=#)", "", text, flags=re.M).splitlines()  # of macros
        comments = [
            line.strip().removeprefix("///").strip()
            for before, line in zip(["", *lines], lines)
            if line.strip().startswith("///") and not before.strip().startswith("///")
        ]
        assert section.count("```cpp") == len(comments), name
        for comment in comments:
            assert comment.replace("<", "&lt;") in section or comment in section, comment


def test_a_member_names_its_struct_and_a_body_is_left_out() -> None:
    page = cpp_api(include_dir())
    assert (
        "In `Tensor`:\n\n```cpp\nbool present() const noexcept\n```\n\nFalse if the tensor is optional"
        in page
    )
    assert "struct Buffer\n```" in page and "rank >= 0" not in page
