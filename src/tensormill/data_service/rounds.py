"""Coordinated reads: in each round all consumers of a job are given an element of one worker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..data.nodes.node import Element, Elements
from ..data.snapshots.components import Codec
from ..errors import FailedPreconditionError, OpError
from ..formats.snappy import decompress
from .dispatcher import PATIENCE
from .wire import Connection, Message, unpacked

# ---------------------------------------------------------------- where elements are computed


@dataclass
class _Round:
    asked: set[int] = field(default_factory=set[int])
    given: dict[int, Message | OpError] = field(default_factory=dict[int, Message | OpError])


class RoundTable:
    """Who has asked a worker for which round, and what is left of the rounds that began."""

    def __init__(self, computed: Callable[[], Message]) -> None:
        self._computed, self._met = computed, threading.Condition()
        self._rounds: dict[int, _Round] = {}

    def given(self, number: int, consumer: int, consumers: int) -> Message:
        """A consumer's element of a round, which begins when all consumers have asked for it; it is
        said to come later where they have not after a while.

        Raises:
            FailedPreconditionError: the dataset is at its end.
        """
        with self._met:
            one = self._rounds.setdefault(number, _Round())
            one.asked.add(consumer)
            if len(one.asked) == consumers and not one.given:
                one.given = {each: self._one() for each in range(consumers)}
                self._met.notify_all()
            if not self._met.wait_for(lambda: one.given, PATIENCE):
                return {"later": True}, b""
            found = one.given.pop(consumer)
            if not one.given:
                del self._rounds[number]
        if isinstance(found, OpError):
            raise found
        return found

    def _one(self) -> Message | OpError:
        try:
            header, payload = self._computed()
        except OpError as error:
            return error
        if header["end"]:
            return FailedPreconditionError(ENDS.format("ended"))
        return header, payload


ENDS = "Rounds of consumers need a dataset without an end, but this one {}: add `.repeat()`"


# ---------------------------------------------------------------- where they are read


class ConsumerRounds:
    """The elements of one consumer: of each round one, by the workers in turn."""

    def __init__(
        self, dispatcher: Connection, job: int, question: dict[str, Any], codec: Codec,
        compressed: bool,
    ) -> None:  # fmt: skip
        self._dispatcher, self._job, self._question = dispatcher, job, question
        self._codec, self._compressed = codec, compressed
        self._workers: list[Connection] = []
        self._round = 0
        self._begin()

    def _begin(self) -> None:
        header, _ = self._dispatcher.call("members", job=self._job)
        self._workers = [Connection(address) for address in header["workers"]]
        if self._workers:
            self._ask()

    def _ask(self) -> None:
        turn = self._round // len(self._workers)
        self._worker.ask("next", **self._question, round=turn)

    @property
    def _worker(self) -> Connection:
        return self._workers[self._round % len(self._workers)]

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Element:
        while not self._workers:
            self._begin()
        address = self._worker.address
        _header, payload = self._answer()
        parts = unpacked(decompress(payload) if self._compressed else payload)
        return next(self._codec.elements(iter(parts), address))

    def _answer(self) -> Message:
        try:
            while (told := self._worker.answer())[0].get("later"):
                self._ask()
        except OpError:
            self._go_on()  # it was this element alone
            raise
        self._go_on()
        return told

    def _go_on(self) -> None:
        self._round += 1
        self._ask()  # so that a round may begin while others still use theirs

    def close(self) -> None:
        """Let go of the servers."""
        for one in (self._dispatcher, *self._workers):
            one.close()

    def __del__(self) -> None:
        self.close()
