"""A module of the user's that the tests call into."""

from __future__ import annotations

import functools
from typing import Any

import tensormill as tf


def plain(x):
    return x * 2 if x > 0 else -x


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
def decorated(x):
    return plain(x)


@functools.lru_cache
def cached(n):
    return n if n else 1


class Scale:
    """Has a private attribute, whose name the compiler changes."""

    __factor = 3

    def __init__(self, add: int = 0) -> None:
        self.__add = add

    def __call__(self, x):
        return x * self.__factor + self.__add if x > 0 else x

    def method(self, x):
        self.__last = x
        if x > 1:
            self.__last = x * 2
        return self.__last

    @staticmethod
    def static(x):
        return plain(x)

    @classmethod
    def of_class(cls, x):
        return cls(x)(1)


class Child(Scale):
    def __call__(self, x):
        if x > 10:
            return super().__call__(x)
        return super(Child, self).__call__(x) + 1  # noqa: UP008


def fails(x: Any) -> Any:
    if x > 0:
        raise ValueError(
            f"no {x}",
        )
    return x


def broken(x: Any) -> Any:
    if x > 0:
        x = tf.reshape(
            x, [3, "a"],
        )  # fmt: skip
    return x
