"""A thousand sentences split, joined to pairs of words, and joined again."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2

from .tokens import COUNT, sentences


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def lengths(texts: Any) -> Any:
        words = tf.strings.split(texts)
        pairs = tf.strings.ngrams(words, 2, separator="-").to_tensor("none")
        again = tf.strings.reduce_join(words, -1, separator=" ")
        return tf.reduce_sum(tf.strings.length(pairs)) + tf.reduce_sum(tf.strings.length(again))

    texts = tf.constant(sentences(COUNT))
    return Timed(lambda: lengths(texts), check=float(lengths(texts)))


WORK = Work(
    title="1000 sentences: split, `ngrams`, `to_tensor`, `reduce_join`",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
