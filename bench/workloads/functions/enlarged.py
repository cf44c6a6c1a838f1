"""Pictures, and maps of some channels, made larger between pixels, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def enlarged(pictures: Any, maps: Any) -> Any:
        return tf.image.resize(pictures, (224, 224)), tf.image.resize(maps, (128, 128))

    random = np.random.default_rng(0)
    shapes = (4, 64, 64, 3), (16, 64, 64, 8)
    given = [tf.constant(random.random(shape).astype(np.float32)) for shape in shapes]
    return Timed(lambda: enlarged(*given), check=float(enlarged(*given)[0][1, 2, 3, 0]))


WORK = Work(
    title="`resize` of 4 pictures 64×64 to 224×224, of 16 maps of 8 channels to 128×128",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
