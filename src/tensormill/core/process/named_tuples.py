"""Named tuples that are quickly made: a process makes some 80 of them before its first result.

`typing.NamedTuple` compiles each annotation, to find out whether it could be a type: 97 µs for a
class of four fields, of which these take 39. What they are is the same; type checkers, which read
annotations, are told that it is typing's.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Maker(type):
        """Makes a named tuple of a class with annotations, which stay the texts that they are."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            fields = body.pop("__annotations__", {})
            with_value = [field for field in fields if field in body]
            if with_value != [*fields][len(fields) - len(with_value) :]:
                raise TypeError(f"{name}: of the fields {[*fields]}, {with_value} are not the last")
            defaults = [body.pop(field) for field in with_value]
            made = namedtuple(name, fields, defaults=defaults, module=body.pop("__module__"))
            made.__annotations__ = fields
            for attribute, value in body.items():
                setattr(made, attribute, value)
            return made

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
