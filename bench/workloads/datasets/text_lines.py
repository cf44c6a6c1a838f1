"""Lines of text files, with their lengths, in batches."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.passes import folder, timed_pass

COUNT, BATCH = 20_000, 64


def with_tf2(tf: Any) -> Timed:
    path = folder() / "lines.txt"
    path.write_text("".join(f"line number {number} of a text\n" for number in range(COUNT)))
    lines = tf.data.TextLineDataset(str(path))
    batches = lines.map(lambda line: (line, tf.strings.length(line))).batch(BATCH)
    return timed_pass(batches, lambda last: tf.reduce_sum(last[1]), COUNT)


WORK = Work(
    title="`TextLineDataset(…).map(length).batch(64)`",
    unit="line",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
