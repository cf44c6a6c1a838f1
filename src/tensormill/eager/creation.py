"""Who makes variables: a stack of creators, asked from the innermost outwards.

A creator is a function `creator(next_creator, **kwargs)`, where `kwargs` are all the arguments of
`tf.Variable`; it returns the variable, usually `next_creator(**kwargs)` with some of them changed.
`tf.variable_creator_scope` pushes one; so does whoever traces a function, because a variable
that is made during a trace needs a value from outside of it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Final

from ..core.process.with_blocks import setting

Creator = Callable[..., Any]

creators: Final[ContextVar[tuple[Creator, ...]]] = ContextVar("variable_creators", default=())


def variable_creator_scope(variable_creator: Creator) -> AbstractContextManager[None]:
    """Within the block, `variable_creator(next_creator, **kwargs)` makes the variables.

    `kwargs` are the arguments of `tf.Variable`; what the creator returns is the variable. The
    innermost scope is asked first.

    >>> def frozen(next_creator, **kwargs):
    ...     return next_creator(**{**kwargs, "trainable": False})
    >>> with tf.variable_creator_scope(frozen):
    ...     print(tf.Variable(1.0).trainable)
    False

    Raises:
        TypeError (when a variable is made): `variable_creator` cannot be called so.
    """
    return setting(creators, (*creators.get(), variable_creator))


def create(default: Creator, **kwargs: Any) -> Any:
    """The variable as the creators make it; the last to be asked is `default(**kwargs)`."""
    make = default
    for creator in creators.get():
        make = _before(creator, make)
    return make(**kwargs)


def _before(creator: Creator, next_creator: Creator) -> Creator:
    def make(**kwargs: Any) -> Any:
        return creator(next_creator, **kwargs)

    return make
