"""What `targets.python_format` lays out, black leaves as it is."""

import random
import string

import black
import pytest

from opgen.targets.python_format import (
    WIDTH,
    bracketed,
    call,
    comment,
    conditional,
    conditional_item,
    define,
    docstring,
    import_from,
)

MODE = black.Mode(line_length=WIDTH)


def words(rng, low, high):
    return [
        "".join(rng.choices(string.ascii_lowercase, k=rng.randint(1, 14))) + "_"
        for _ in range(rng.randint(low, high))
    ]


def unchanged(text: str) -> None:
    assert black.format_str(text, mode=MODE) == text


@pytest.mark.parametrize("seed", range(20))
def test_calls_definitions_and_literals_are_black_stable(seed):
    rng = random.Random(seed)
    items = words(rng, 1, 14)
    unchanged(call(f"{words(rng, 1, 1)[0]} = check(", items) + "\n")
    unchanged(f"def f():\n    {call('return check(', items, ')', 4)}\n")
    unchanged(bracketed("X = [", items, "]") + "\n")
    parameters = [f"{item}: int" for item in dict.fromkeys(items)]
    unchanged(define("def function(", parameters, ") -> tuple[int, ...]:") + "\n    pass\n")
    unchanged(import_from("somewhere", items) + "\n")


@pytest.mark.parametrize("seed", range(10))
def test_conditionals_are_black_stable(seed):
    rng = random.Random(seed)
    choices = [(word, " and ".join(words(rng, 1, 4))) for word in words(rng, 1, 4)]
    text = conditional(choices, words(rng, 1, 1)[0], 4)
    unchanged(f"x = (\n    {text}\n)\n" if "\n" in text else f"x = {text}\n")
    items = [*words(rng, 9, 20), conditional_item(choices, words(rng, 1, 1)[0], 4)]
    unchanged(call("x = f(", items) + "\n")


@pytest.mark.parametrize("seed", range(10))
def test_docstrings_and_comments_are_black_stable(seed):
    rng = random.Random(seed)
    text = "\n\n".join(" ".join(words(rng, 1, 30)) for _ in range(rng.randint(1, 3)))
    unchanged(f"def f():\n    {docstring(text, 4)}\n")
    unchanged(docstring(text) + "\n")
    unchanged(f"def f():\n    {comment(text, 4)}\n    pass\n")
    lines = f"def f():\n    {docstring(text, 4)}\n    {comment(text, 4)}\n".splitlines()
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize("text", ['say "so"', 'ends in "', "a \\ b", 'three """ quotes', "'"])
def test_docstrings_hold_any_text(text):
    source = f"def f():\n    {docstring(text, 4)}\n"
    scope: dict = {}
    exec(source, scope)
    assert scope["f"].__doc__.strip() == text
    unchanged(source)
