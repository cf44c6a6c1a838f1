"""The ways of connectionist temporal classification in XLA's programs: all examples of a step at
once, one step after the other (`ops/nn/ctc.py` says what they are).
"""

from __future__ import annotations

from typing import Any

Array = Any


class XlaWalk:
    """The ways through the labels with blanks between them: [batch, states].

    lowest: the logarithm of what is impossible. merges: whether a way may stay at a label for
    several steps.
    """

    def __init__(
        self, xla: Any, labels: Array, label_lengths: Array, lengths: Array, blank: int,
        lowest: float, merges: bool,
    ) -> None:  # fmt: skip
        np = self.np = xla.np
        self.lax, self.lowest = xla.lax, lowest
        batch, count = labels.shape
        self.places = np.arange(2 * count + 1)
        self.last = 2 * label_lengths.astype(np.int64)[:, None]
        self.lengths = lengths.astype(np.int64)[:, None]
        self.is_real = self.places <= self.last
        states = np.full((batch, 2 * count + 1), blank, np.int64)
        odd = np.where(self.is_real[:, 1::2], labels.astype(np.int64), blank)
        self.states = states.at[:, 1::2].set(odd)
        is_label = self.places % 2 == 1
        self.stays = ~is_label | merges
        # The blank between two labels may be left out, unless they are the same and would merge.
        differ = self.states != self._moved(self.states, 2, -1)
        self.skips = (
            differ if merges else np.broadcast_to(is_label & (self.places > 1), self.states.shape)
        )
        self.rows = np.arange(batch)[:, None]

    def run(self, log_probabilities: Array, unfinished: float) -> tuple[Array, Array]:
        """The losses, and how often each class is expected at each step.

        unfinished: what ways weigh that end before the last label, where no other are possible.
        """
        np = self.np
        scores = log_probabilities[:, self.rows, self.states]
        forward = self._forward(scores)
        ends = self._ends(self.lowest)
        impossible = (self._final(forward, ends) == self.lowest)[:, None]
        ends = np.where(impossible, self._ends(unfinished), ends)
        final = self._final(forward, ends)
        each = np.exp(forward + self._backward(scores, ends) - final[None, :, None])
        each = np.where(np.isfinite(each), each, 0.0)
        expected = np.zeros_like(log_probabilities)
        return -final, expected.at[:, self.rows, self.states].add(each)

    def _ends(self, otherwise: float) -> Array:
        """0 for the last label and the blank after it."""
        is_end = (self.places == self.last) | (self.places == self.last - 1)
        return self.np.where(is_end, 0.0, otherwise)

    def _final(self, forward: Array, ends: Array) -> Array:
        """The logarithms of the probabilities of all ways together."""
        np = self.np
        end = np.maximum(self.lengths[:, 0] - 1, 0)
        reached = forward[end, self.rows[:, 0]] + ends if len(forward) else ends
        # Before the first step one is where the blank before the first label is.
        return np.where(self.lengths[:, 0] > 0, self._sum(*reached.T), ends[:, 0])

    def _forward(self, scores: Array) -> Array:
        np = self.np

        def step(before: Array, score: Array) -> Any:
            jumped = np.where(self.skips, self._moved(before, 2, self.lowest), self.lowest)
            stayed = np.where(self.stays, before, self.lowest)
            total = self._sum(stayed, self._moved(before, 1, self.lowest), jumped)
            found = np.where(self.is_real, total + score, self.lowest)
            return found, found

        # In front of the first step one is at a place before all others, as it were.
        if not len(scores):
            return scores
        begins = np.where(self.is_real & (self.places < 2), scores[0], self.lowest)
        _, rest = self.lax.scan(step, begins, scores[1:])
        return np.concatenate([begins[None], rest])

    def _backward(self, scores: Array, ends: Array) -> Array:
        """Without the score of the step itself."""
        np, lowest = self.np, self.lowest
        jumps = self._moved(self.skips, -2, False)

        def step(after: Array, given: Any) -> Any:
            number, score = given
            jumped = np.where(jumps, self._moved(after, -2, lowest), lowest)
            stayed = np.where(self.stays, after, lowest)
            total = self._sum(stayed, self._moved(after, -1, lowest), jumped)
            found = np.where(
                number == self.lengths - 1, ends, np.where(self.is_real, total, lowest)
            )
            found = np.where(number >= self.lengths, lowest, found)
            return found + score, found

        numbers = np.arange(len(scores))
        start = np.full(ends.shape, lowest, ends.dtype)
        _, found = self.lax.scan(step, start, (numbers, scores), reverse=True)
        return found

    def _moved(self, x: Array, by: int, filled: Any) -> Array:
        """The states, so many places further; in front of them, or behind, is something else."""
        np, width = self.np, x.shape[1]
        room = np.full((x.shape[0], min(abs(by), width)), filled, x.dtype)
        if by > 0:
            return np.concatenate([room, x[:, : width - room.shape[1]]], 1)
        return np.concatenate([x[:, room.shape[1] :], room], 1)

    def _sum(self, *terms: Array) -> Array:
        """The logarithm of the sum of what these are logarithms of."""
        np = self.np
        most = np.max(np.stack(terms), 0)
        shift = np.where(most == self.lowest, 0.0, most)
        total = sum(np.exp(one - shift) for one in terms)
        return np.where(most == self.lowest, most, shift + np.log(total))
