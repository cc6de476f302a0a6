"""The tables of targets' options: what every target's own `Options` says."""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic.fields import FieldInfo
from typing_extensions import is_typeddict

from opgen.spec.extensions import TargetError, extensions, imported
from opgen.spec.models.types import Drop, doc, table


def options() -> dict[str, Any]:
    """The model of each target's options, by the target's name."""
    found = {}
    for name, extension in extensions().items():
        own = extension.models and getattr(imported(extension.models, name), "Options", None)
        if own:
            called = f"{name.title().replace('_', '')}Options"
            found[name] = table(called, own.__doc__, own)
    return found


def entries(model: Any) -> dict[str, Any]:
    """The models of tables that options list, by option."""
    found = get_type_hints(model).items()
    listed = {key: get_args(hint)[0] for key, hint in found if get_origin(hint) is list}
    return {key: entry for key, entry in listed.items() if is_typeddict(entry)}


def key_of(name: str, model: Any) -> Any:
    """The type of an op's key `name`; its example is that of the first option."""
    first, hint = next(iter(get_type_hints(model, include_extras=True).items()))
    said = [m.examples for m in get_args(hint) if isinstance(m, FieldInfo) and m.examples]
    if not said:
        raise TargetError(f"target `{name}`: `{first}` needs a `doc` with an example")
    example = {first: said[0][0]}
    about = f"Options of the {extensions()[name].title} target."
    return Annotated[model | Drop, doc(about, example)]
