"""What becomes of the rows of a table when its vocabulary changes."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.files import gfile
from ...core.specs import TensorSpec
from ...errors import FailedPreconditionError, InvalidArgumentError, OutOfRangeError
from ..demands import refuse
from ..effects import World
from ..op import Attr, In, Op, Out
from .text_tables import LINE_NUMBER, WHOLE_LINE, entries_of


class GenerateVocabRemapping(Op):
    """Where words of a new vocabulary were in an old one, -1 for those that were not; and how many
    were.

    Raises:
        InvalidArgumentError: the files have fewer lines, or empty ones.
        FailedPreconditionError: a word stands twice in the old one.
        OutOfRangeError: a file is empty, or nothing of the old one is read.
    """

    new_vocab_file = In("str")
    old_vocab_file = In("str")
    remapping = Out("i64 n")
    num_present = Out("i32")
    new_vocab_offset = Attr(int)
    num_new_vocab = Attr(int)
    old_vocab_size = Attr(-1)
    _within = Attr(())
    effects = (World.FILES,)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        least = {"new_vocab_offset": 0, "num_new_vocab": 0, "old_vocab_size": -1}
        for name, low in least.items():
            if (value := getattr(self, name)) < low:
                refuse(InvalidArgumentError, TOO_SMALL, name, value, low)

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        return TensorSpec((self.num_new_vocab,), dtypes.int64), TensorSpec((), dtypes.int32)

    def eager(self, np: Any) -> tuple[Any, Any]:
        self.require_content(self.new_vocab_file)
        new = self.words(self.new_vocab_file, -1)
        if len(new) < self.new_vocab_offset + self.num_new_vocab:
            refuse(InvalidArgumentError, TOO_FEW)
        self.require_content(self.old_vocab_file)
        if not self.num_new_vocab:
            return np.zeros(0, np.int64), np.asarray(0, np.int32)
        if not self.old_vocab_size:
            refuse(OutOfRangeError, NOTHING_OLD, self.old_vocab_file[()].decode())
        old: dict[bytes, int] = {}
        for place, word in enumerate(self.words(self.old_vocab_file, self.old_vocab_size)):
            if word in old:
                refuse(FailedPreconditionError, TWICE, word.decode(), old[word], place)
            old[word] = place
        asked = new[self.new_vocab_offset :][: self.num_new_vocab]
        found = np.array([old.get(word, -1) for word in asked], np.int64)
        return found, np.asarray((found >= 0).sum(), np.int32)

    def require_content(self, file: Any) -> None:
        """Whatever is asked for, both files are named and have something in them."""
        if not file[()]:
            refuse(InvalidArgumentError, UNNAMED, self.name)
        path = gfile.confined(file[()], self._within, writes=False)
        with gfile.GFile(path, "rb") as opened:
            if not opened.read(1):
                refuse(OutOfRangeError, EMPTY, path)

    def words(self, file: Any, count: int) -> list[bytes]:
        """The lines of a file, so many of them."""
        path = gfile.confined(file[()], self._within, writes=False)
        columns = (WHOLE_LINE, dtypes.string), (LINE_NUMBER, dtypes.int64)
        return entries_of(path, columns, count, "\t", 0)[0].tolist()


TOO_SMALL = "Value for attr '{}' of {} must be at least minimum {}"
UNNAMED = "{}: a vocabulary needs the name of a file, got an empty one"
EMPTY = "{}: Read less bytes than requested"
NOTHING_OLD = "Finished reading 0 of lines from {}"
TWICE = "HashTable has different value for same key. Key {} has {} and trying to add value {}"
TOO_FEW = "lookup table size must be larger than last new vocab entry's line"
