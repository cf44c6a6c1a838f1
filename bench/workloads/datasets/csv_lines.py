"""Lines of a CSV file, decoded one by one by `CsvDataset`."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.passes import folder, timed_pass

COUNT, BATCH = 10_000, 64


def with_tf2(tf: Any) -> Timed:
    path = folder() / "table.csv"
    path.write_text("".join(f"{k},{k / 8},word {k}\n" for k in range(COUNT)))
    kinds = [tf.int32, tf.float32, tf.string]
    rows = tf.data.experimental.CsvDataset(str(path), kinds).batch(BATCH)
    return timed_pass(rows, lambda last: tf.reduce_sum(last[1]), COUNT)


WORK = Work(
    title="`CsvDataset(…).batch(64)`, three columns",
    unit="row",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
