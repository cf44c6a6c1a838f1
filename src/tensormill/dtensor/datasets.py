"""`DTensorDataset`: a dataset whose batches lie on a mesh."""

from __future__ import annotations

from typing import Any

from ..core import tree
from ..data.dataset import DatasetV2
from .calls import relayout
from .layout import Layout
from .mesh import Mesh


class DTensorDataset(DatasetV2):
    """A dataset of batches that are laid out over a mesh.

    dataset: of single examples; of batches of `global_batch_size` where `dataset_already_batched`.
    layouts: of each part of a batch, structured as an element is. batch_dim: the axis of the mesh
    along which batches are divided; None: they are not. prefetch: how many batches are made ahead.
    The other options change nothing: one process reads the dataset.

    >>> dtensor = tf.experimental.dtensor
    >>> mesh = dtensor.create_mesh([("x", 2)], devices=["CPU:0", "CPU:1"])
    >>> numbers = tf.data.Dataset.range(8)
    >>> x = dtensor.Layout(["x"], mesh)
    >>> data = dtensor.DTensorDataset(
    ...     numbers, mesh=mesh, layouts=x, global_batch_size=4, batch_dim="x"
    ... )
    >>> [dtensor.unpack(batch)[1].numpy().tolist() for batch in data]
    [[2, 3], [6, 7]]

    Raises:
        ValueError: `layouts` have another structure or rank than elements; the mesh has no axis
            `batch_dim`; the dataset has batches of another size.
    """

    def __init__(
        self, dataset: Any, *, mesh: Mesh, layouts: Any, global_batch_size: int,
        dataset_already_batched: bool = False, batch_dim: str | None = None,
        prefetch: int | None = None, tf_data_service_config: Any = None,
    ) -> None:  # fmt: skip
        if batch_dim is not None and not mesh.contains_dim(batch_dim):
            raise ValueError(
                f"Dimension {batch_dim} does not exist in mesh. Available dimensions: "
                f"{','.join(mesh.dim_names)}"
            )
        self._mesh, self._layouts = mesh, layouts
        self._batch, self._batched = global_batch_size, dataset_already_batched
        tree.assert_same_structure(dataset.element_spec, _hidden(layouts))
        tree.map_structure(self._check, dataset.element_spec, _hidden(layouts))
        whole = dataset
        if not dataset_already_batched:
            whole = dataset.batch(global_batch_size, drop_remainder=True)
        self._take_over(whole if prefetch is None else whole.prefetch(prefetch))
        self._wraps = dataset

    def _check(self, spec: Any, hidden: Any) -> None:
        layout: Layout = hidden.layout
        rank = spec.shape.rank
        if rank is None:
            raise ValueError("DTensorDataset needs elements of known rank")
        wanted = rank if self._batched else rank + 1
        if layout.rank != wanted:
            raise ValueError(
                f"Expected layout with rank {wanted} for element spec {spec}, got layout "
                f"{layout.sharding_specs}. Check that the dataset is not batched before passing to "
                "DTensorDataset."
            )
        if self._batched and spec.shape[0] not in (None, self._batch):
            raise ValueError(
                f"batches have {spec.shape[0]} elements, but global_batch_size is {self._batch}"
            )

    def __len__(self) -> int:
        """How many examples or batches the dataset has that was given."""
        return len(self._wraps)

    def __iter__(self) -> Any:
        return LaidOutBatches(super().__iter__(), self._layouts)

    def __repr__(self) -> str:
        return f"<DTensorDataset element_spec={self.element_spec}>"


class LaidOutBatches:
    """An iterator over batches, which lays them out."""

    def __init__(self, batches: Any, layouts: Any) -> None:
        self._batches, self._layouts = batches, layouts

    def __iter__(self) -> LaidOutBatches:
        return self

    def __next__(self) -> Any:
        return tree.map_structure(
            lambda one, hidden: relayout(one, hidden.layout),
            next(self._batches),
            _hidden(self._layouts),
        )

    get_next = __next__

    @property
    def element_spec(self) -> Any:
        """What batches are."""
        return self._batches.element_spec


class Hidden:
    """A layout as a leaf of a structure."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout


def _hidden(layouts: Any) -> Any:
    return tree.map_structure(Hidden, layouts)
