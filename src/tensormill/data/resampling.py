"""`Dataset.rejection_resample`: elements of classes, so often as they are wanted to be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..core import dtypes
from ..ops.array.concatenation import stack
from ..ops.array.fill import one_hot
from ..ops.array.gather import gather
from ..ops.conversion import as_tensor
from ..ops.math.cast import cast
from ..ops.math.division import divide_no_nan
from ..ops.math.reduce import reduce_max, reduce_min, reduce_sum
from ..ops.random.uniform_and_normal import uniform

if TYPE_CHECKING:
    from .dataset import DatasetV2

# How many elements are counted at once, and how many of each class are taken for seen at first.
COUNTED: Final = 32
SMOOTHING: Final = 10


def rejection_resample(
    dataset: DatasetV2, class_func: Callable[..., Any], target: Any, initial: Any, seed: Any
) -> DatasetV2:
    """Pairs of a class and an element, in which classes are distributed as `target` says.

    With p(c) how often a class is and t(c) how often it shall be, r = t / p: the fraction min(r) of
    what comes out are elements as they come, the others were accepted with the probability
    (r(c) - min(r)) / (max(r) - min(r)). In sum that makes t(c).
    """
    wanted = cast(as_tensor(target), dtypes.float32)
    classes = dataset.map(class_func)
    if initial is None:
        count: Any = wanted.shape[0]
        seen = _estimated(classes, count)
    else:
        given = cast(as_tensor(initial), dtypes.float32)
        seen = dataset.from_tensors(given).repeat()
    chances = seen.map(lambda distribution: _chances(distribution, wanted))

    def classified(acceptance: Any, element: Any) -> Any:
        parts = element if isinstance(element, tuple) else (element,)
        found = class_func(*parts)
        return found, gather(acceptance, found), element

    accepted = (
        dataset.zip((chances.map(lambda acceptance, whole: acceptance), dataset))
        .map(classified)
        .filter(lambda found, chance, element: uniform([], seed=seed) < chance)
        .map(lambda found, chance, element: (found, element))
    )
    shares = chances.map(lambda acceptance, whole: stack([whole, 1.0 - whole]))
    both = [dataset.zip((classes, dataset)), accepted]
    return dataset.sample_from_datasets(both, shares, seed, stop_on_empty_dataset=True)


def _chances(distribution: Any, wanted: Any) -> Any:
    """With which probability elements of each class are accepted, and how many are not asked."""
    tiny = float(np.finfo(np.float32).tiny)
    ratio = wanted / (distribution + tiny)
    least, most = reduce_min(ratio), reduce_max(ratio)
    return divide_no_nan(ratio - least, most - least), least


def _estimated(classes: DatasetV2, count: int) -> DatasetV2:
    """How classes are distributed, for each element: as far as whole batches of them were seen."""
    first = np.full([count], SMOOTHING, np.int64)

    def counted(so_far: Any, some: Any) -> Any:
        total = so_far + reduce_sum(one_hot(some, count, dtype=dtypes.int64), axis=0)
        shares = cast(total, dtypes.float32) / cast(reduce_sum(total), dtypes.float32)
        return total, shares

    distributions = classes.batch(COUNTED).scan(first, counted)
    return distributions.flat_map(lambda shares: classes.from_tensors(shares).repeat(COUNTED))
