"""How servers are set up: what None stands for where it is given, or left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Config = TypeVar("Config", bound=tuple[Any, ...])


def none_stands_for(**defaults: Any) -> Callable[[type[Config]], type[Config]]:
    """A named tuple whose fields of these names have these values where None is given."""

    def decorated(config: type[Config]) -> type[Config]:
        plain: Any = config.__new__

        @wraps(plain)
        def made(kind: type[Config], *values: Any, **named: Any) -> Any:
            given = plain(kind, *values, **named)
            missing = [name for name in defaults if getattr(given, name) is None]
            return given._replace(**{name: defaults[name] for name in missing})

        setattr(config, "__new__", made)  # noqa: B010
        return config

    return decorated
