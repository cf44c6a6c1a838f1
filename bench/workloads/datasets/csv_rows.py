"""A table in a CSV file, in batches."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.passes import folder, timed_pass

COUNT, BATCH = 10_000, 64


def with_tf2(tf: Any) -> Timed:
    path = folder() / "table.csv"
    rows = "".join(f"{k},{k / 8},word {k},{k % 2}\n" for k in range(COUNT))
    path.write_text("a,b,c,label\n" + rows)
    batches = tf.data.experimental.make_csv_dataset(
        str(path), BATCH, label_name="label", num_epochs=1, shuffle=False
    )
    return timed_pass(batches, lambda last: tf.reduce_sum(last[0]["b"]), COUNT)


WORK = Work(
    title="`make_csv_dataset`, four columns, batches of 64",
    unit="row",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
