"""A thousand sentences of many scripts: matched, changed by groups, cut by characters, decoded."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 1000
LETTERS = "abcdefghijklmno äöüéèñ 中文字 0123456789 "


def sentences(count: int) -> list[str]:
    """20 to 99 characters each."""
    random = np.random.default_rng(2)
    sizes = random.integers(20, 100, count)
    return ["".join(random.choice([*LETTERS], size)) for size in sizes]


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def read(texts: Any) -> Any:
        swapped = tf.strings.regex_replace(texts, r"([a-o])([0-9]+)", r"\2\1")
        hidden = tf.strings.regex_replace(swapped, r"ab+|\d{2,}", "#")
        start = tf.strings.substr(hidden, 1, 12, unit="UTF8_CHAR")
        is_plain = tf.strings.regex_full_match(start, r"[ -~]*")
        numbers = tf.strings.unicode_decode(hidden, "UTF-8").values
        coded = tf.strings.length(tf.io.encode_base64(start))
        total = tf.reduce_sum(numbers) + tf.reduce_sum(coded)
        return total + tf.reduce_sum(tf.cast(is_plain, tf.int32))

    texts = tf.constant(sentences(COUNT))
    return Timed(lambda: read(texts), check=float(read(texts)))


WORK = Work(
    title="1000 sentences: two `regex_replace`, `substr`, `unicode_decode`, `encode_base64`",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
