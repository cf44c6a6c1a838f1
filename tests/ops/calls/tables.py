"""Every table of calls, by topic: the modules of this folder that are called `TOPIC_calls`.

A call is written for TensorFlow and for us alike, `call(tf, *tensors)`, beside the arrays that it
gets. A module says

    CALLS       the calls, by their names, which are unique among all topics
    COMPILED    the names of those that are compiled for unknown sizes too; without it, all of them

and `python -m tests.ops.record TOPIC` writes what TensorFlow returns, or the class of the error
that it raises, to `recorded/TOPIC.json`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from .call import Call

HERE = Path(__file__).parent
SUFFIX = "_calls"


@dataclass(frozen=True)
class Topic:
    """The calls of a module, and where their answers are."""

    name: str
    calls: dict[str, Call]
    compiled: frozenset[str]

    @property
    def answers(self) -> Path:
        return HERE / "recorded" / f"{self.name}.json"


def topic_of(module: str) -> Topic:
    said = import_module(f"{__package__}.{module}")
    compiled = frozenset(getattr(said, "COMPILED", said.CALLS))
    assert compiled <= set(said.CALLS), f"{module}: COMPILED has names that CALLS has not"
    return Topic(module.removesuffix(SUFFIX), said.CALLS, compiled)


def topics() -> dict[str, Topic]:
    modules = sorted(one.name for one in iter_modules([str(HERE)]) if one.name.endswith(SUFFIX))
    return {topic.name: topic for topic in map(topic_of, modules)}


def parts(tf: Any, result: Any) -> list[Any]:
    """The tensors of a result, its composites taken apart."""
    return [leaf for leaf in tf.nest.flatten(result, expand_composites=True) if leaf is not None]


def by_call(topics: Iterable[Topic]) -> dict[str, Topic]:
    """The topic of each call, by the call's name."""
    found: dict[str, Topic] = {}
    for topic in topics:
        twice = found.keys() & topic.calls.keys()
        assert not twice, f"{topic.name}: other topics have these names too: {twice}"
        found |= dict.fromkeys(topic.calls, topic)
    return found


TOPICS = topics()
TOPIC_WITH = by_call(TOPICS.values())
ALL_CALLS = {name: call for topic in TOPICS.values() for name, call in topic.calls.items()}
