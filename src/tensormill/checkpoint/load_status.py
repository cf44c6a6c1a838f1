"""What restoring a checkpoint answers: an object that says, when asked, how well it went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .object_graph import TrackedObject, has_state
from .restoration import Restoration

_SHOWN = 10


class LoadStatus:
    """Checks raise AssertionError; those that succeed, and `expect_partial`, answer the status."""

    def assert_consumed(self) -> Any:
        """Check that everything in the checkpoint has its object, and the other way round."""
        return self

    def assert_existing_objects_matched(self) -> Any:
        """Check that everything in the program that has values got them from the checkpoint."""
        return self

    def assert_nontrivial_match(self) -> Any:
        """Check that anything below the root was found in the checkpoint."""
        return self

    def expect_partial(self) -> Any:
        """Say that values of the checkpoint may stay unused: no warning about them."""
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Do nothing: values are restored when there are objects for them."""

    def initialize_or_restore(self, session: Any = None) -> None:
        """Do nothing: objects have values from the beginning."""


class CheckpointLoadStatus(LoadStatus):
    """How well a program and a checkpoint of objects match, now."""

    def __init__(self, restoration: Restoration, optional: Any = None) -> None:
        """The object `optional` need not be in the checkpoint."""
        self._restoration = restoration
        self._optional = optional

    def assert_consumed(self) -> CheckpointLoadStatus:
        missing = self._restoration.progress.unresolved()
        if missing:
            raise AssertionError(
                f"Unresolved object in checkpoint {missing[0]}: {len(missing)} values of "
                f"{self._restoration.reader.prefix} have no object that takes them: "
                f"{', '.join(missing)}"
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        unmatched = [node for node in self._without_values() if node.value is not self._optional]
        if unmatched:
            raise AssertionError(
                f"Found {len(unmatched)} Python objects that were not bound: the program is not "
                f"the one that saved them. The first {min(_SHOWN, len(unmatched))}: "
                f"{_listed(unmatched)}"
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        if self._restoration.progress.bound.keys() <= {0}:
            raise AssertionError(
                "Nothing except the root object matched: is this the checkpoint of another "
                f"program? Without values are {_listed(self._without_values())}"
            )
        return self

    def expect_partial(self) -> CheckpointLoadStatus:
        self._restoration.progress.is_expected_partial = True
        return self

    def _without_values(self) -> list[TrackedObject]:
        bound = {id(value) for value in self._restoration.progress.bound.values()}
        nodes = self._restoration.view.nodes()
        return [node for node in nodes if has_state(node.value) and id(node.value) not in bound]


class NameBasedSaverStatus(LoadStatus):
    """Of a checkpoint that names variables and knows no objects, as TensorFlow 1 wrote them."""

    def __init__(self, unused: Sequence[str], unmatched: Sequence[TrackedObject]) -> None:
        self._unused = unused
        self._unmatched = unmatched

    def assert_consumed(self) -> NameBasedSaverStatus:
        if self._unused:
            raise AssertionError(f"Some values of the checkpoint were not used: {self._unused}")
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> NameBasedSaverStatus:
        if self._unmatched:
            raise AssertionError(
                f"Some objects had no value of their name in the checkpoint: "
                f"{_listed(self._unmatched)}"
            )
        return self

    assert_nontrivial_match = assert_existing_objects_matched


class InitializationOnlyStatus(LoadStatus):
    """There was nothing to restore: the path was None."""

    def assert_consumed(self) -> Any:
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_consumed
    assert_nontrivial_match = assert_consumed


def _listed(nodes: Sequence[TrackedObject]) -> str:
    """`[model/layers/0: <tf.Variable …>, …]`."""
    shown = [f"{'/'.join(node.path) or '(root)'}: {node.value!r}" for node in nodes[:_SHOWN]]
    return f"[{', '.join(shown)}]"
