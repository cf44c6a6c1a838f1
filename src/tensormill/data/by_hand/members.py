"""What datasets of TensorFlow 1 have themselves: iterators of graphs, and what elements are."""

from __future__ import annotations

from typing import Any

from ...core.process.deprecation import deprecated
from .element_facts import ElementFacts


class OlderMembers(ElementFacts):
    """Members of `tf.compat.v1.data.Dataset` that TensorFlow 2 has as functions, if at all."""

    @deprecated(None, "Use for element in dataset instead.")
    def make_one_shot_iterator(self) -> Any:
        """`tf.compat.v1.data.make_one_shot_iterator` of this dataset."""
        from .iterators import make_one_shot_iterator

        return make_one_shot_iterator(self)

    @deprecated(None, "Use for element in dataset instead.")
    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """`tf.compat.v1.data.make_initializable_iterator` of this dataset.

        Raises:
            RuntimeError: operations run at once here.
        """
        from .iterators import make_initializable_iterator

        return make_initializable_iterator(self, shared_name)
