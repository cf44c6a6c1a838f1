"""A loop over a thousand words, each joined, compared and measured."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2

from .words import words

COUNT = 1000


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def total_length(some: Any) -> Any:
        total, last = tf.constant(0), tf.constant("")
        for k in tf.range(tf.shape(some)[0]):
            word = tf.strings.upper(tf.strings.join([some[k], "x"], "-"))
            if word != last:
                total += tf.strings.length(word)
            last = word
        return total

    some = tf.constant(words(COUNT))
    return Timed(lambda: total_length(some), check=float(total_length(some)), units=COUNT)


WORK = Work(
    title="loop over words: join, upper, `!=`, length",
    unit="turn",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1 / 20),),
)
