"""Steps of recurrent networks as one operation each: the LSTM (Hochreiter, Schmidhuber 1997; its
peepholes: Gers, Schraudolph 2002) and the GRU (Cho et al. 2014), and their gradients.
"""

from __future__ import annotations

from typing import Any

from numpy import errstate

from ...core.specs import TensorSpec
from ..array.concatenation import concat, split
from ..array.shapes import shape_of
from ..bind import bind
from ..families import Rephrased
from ..linalg.matmul import matmul
from ..math.circular import tanh
from ..math.elementwise import sigmoid
from ..math.norms import clip_by_value
from ..math.reduce import reduce_sum
from ..op import Attr, In, Op, Out, types


class LSTMBlockCell(Rephrased):
    """One step of an LSTM; w and b have the gates in the order i, ci, f, o."""

    x = In("T b n")
    cs_prev = In("T b c")
    h_prev = In("T b c")
    w = In("T k g")
    wci = In("T c")
    wcf = In("T c")
    wco = In("T c")
    b = In("T g")
    i = Out("T b c")
    cs = Out("T b c")
    f = Out("T b c")
    o = Out("T b c")
    ci = Out("T b c")
    co = Out("T b c")
    h = Out("T b c")
    forget_bias = Attr(1.0)
    cell_clip = Attr(3.0)
    use_peephole = Attr(False)
    T = types("f16 f32")

    def expand(self) -> tuple[Any, ...]:
        before = self.cs_prev
        gates = matmul(concat([self.x, self.h_prev], 1), self.w) + self.b
        i, ci, f, o = split(gates, 4, 1)
        if self.use_peephole:
            i, f = i + before * self.wci, f + before * self.wcf
        i, ci, f = sigmoid(i), tanh(ci), sigmoid(f + self.forget_bias)
        cs = ci * i + before * f
        if self.cell_clip > 0:
            cs = clip_by_value(cs, -self.cell_clip, self.cell_clip)
        o = sigmoid(o + cs * self.wco if self.use_peephole else o)
        co = tanh(cs)
        return i, cs, f, o, ci, co, co * o


class LSTMBlockCellGrad(Rephrased):
    """Its gradient: by the state before, the gates' sums, and the peepholes."""

    x = In("T b n")
    cs_prev = In("T b c")
    h_prev = In("T b c")
    w = In("T k g")
    wci = In("T c")
    wcf = In("T c")
    wco = In("T c")
    b = In("T g")
    i = In("T b c")
    cs = In("T b c")
    f = In("T b c")
    o = In("T b c")
    ci = In("T b c")
    co = In("T b c")
    cs_grad = In("T b c")
    h_grad = In("T b c")
    cs_prev_grad = Out("T b c")
    dicfo = Out("T b g")
    wci_grad = Out("T c")
    wcf_grad = Out("T c")
    wco_grad = Out("T c")
    use_peephole = Attr()
    T = LSTMBlockCell.T
    differentiable = False

    def expand(self) -> tuple[Any, ...]:
        i, f, o, ci, co = self.i, self.f, self.o, self.ci, self.co
        do = self.h_grad * co * o * (1 - o)
        dcs = self.h_grad * o * (1 - co * co) + self.cs_grad
        if self.use_peephole:
            dcs = dcs + do * self.wco
        di, dci = dcs * ci * i * (1 - i), dcs * i * (1 - ci * ci)
        df = dcs * self.cs_prev * f * (1 - f)
        before = dcs * f
        peepholes = (self.wci * 0, self.wcf * 0, self.wco * 0)
        if self.use_peephole:
            before = before + di * self.wci + df * self.wcf
            products = di * self.cs_prev, df * self.cs_prev, do * self.cs
            peepholes = tuple([reduce_sum(one, 0) for one in products])
        return before, concat([di, dci, df, do], 1), *peepholes


class GRUBlockCell(Rephrased):
    """One step of a GRU."""

    x = In("T b n")
    h_prev = In("T b c")
    w_ru = In("T k g")
    w_c = In("T k c")
    b_ru = In("T g")
    b_c = In("T c")
    r = Out("T b c")
    u = Out("T b c")
    c = Out("T b c")
    h = Out("T b c")
    T = types("f32")

    def expand(self) -> tuple[Any, ...]:
        x, before = self.x, self.h_prev
        r, u = split(sigmoid(matmul(concat([x, before], 1), self.w_ru) + self.b_ru), 2, 1)
        c = tanh(matmul(concat([x, before * r], 1), self.w_c) + self.b_c)
        return r, u, c, u * before + (1 - u) * c


class GRUBlockCellGrad(Rephrased):
    """Its gradient: by x, by the state before, and by the gates' sums."""

    x = In("T b n")
    h_prev = In("T b c")
    w_ru = In("T k g")
    w_c = In("T k c")
    b_ru = In("T g")
    b_c = In("T c")
    r = In("T b c")
    u = In("T b c")
    c = In("T b c")
    d_h = In("T b c")
    d_x = Out("T b n")
    d_h_prev = Out("T b c")
    d_c_bar = Out("T b c")
    d_r_bar_u_bar = Out("T b g")
    T = GRUBlockCell.T
    differentiable = False

    def infer(self) -> tuple[TensorSpec, ...]:
        dtype, rows = self.x.dtype, self.h_prev.shape
        wide = None if rows.rank is None else [rows[0], None if rows[1] is None else 2 * rows[1]]
        shapes = (self.x.shape, rows, rows, wide)
        return tuple([TensorSpec(shape, dtype) for shape in shapes])

    def expand(self) -> tuple[Any, ...]:
        r, u, c, before, dh = self.r, self.u, self.c, self.h_prev, self.d_h
        width = shape_of(self.x)[1]
        dc = dh * (1 - u) * (1 - c * c)
        du = dh * (before - c) * u * (1 - u)
        by_c = matmul(dc, self.w_c, transpose_b=True)
        through = by_c[:, width:]
        dr = through * before * r * (1 - r)
        both = concat([dr, du], 1)
        by_ru = matmul(both, self.w_ru, transpose_b=True)
        dx = by_c[:, :width] + by_ru[:, :width]
        return dx, by_ru[:, width:] + through * r + dh * u, dc, both


class BlockLstm(Op, abstract=True):
    """An LSTM over time: x is [time, batch, inputs]. After `seq_len_max` steps all is 0."""

    seq_len_max: Any
    x: Any
    cs_prev: Any
    w: Any
    h_prev: Any
    wci: Any
    wcf: Any
    wco: Any
    b: Any
    T = LSTMBlockCell.T
    cell_clip: Any
    use_peephole: Any
    # The gates in the order in which w and b have them.
    order = ("i", "ci", "f", "o")

    def bias(self) -> float:
        """What is added to the forget gate."""
        return 0.0

    def infer(self) -> tuple[TensorSpec, ...]:
        lead, dtype = self.x.shape, self.x.dtype
        steps = lead[:2] if lead.rank == 3 else (None, None)
        width = self.cs_prev.shape[1] if self.cs_prev.shape.rank == 2 else None
        return (TensorSpec([*steps, width], dtype),) * 7

    def eager(self, np: Any) -> tuple[Any, ...]:
        steps, cs, h = self.x.shape[0], self.cs_prev, self.h_prev
        found = [np.zeros((steps, *cs.shape), cs.dtype) for _ in range(7)]
        for t in range(min(steps, int(self.seq_len_max))):
            gates = np.concatenate([self.x[t], h], 1) @ self.w + self.b
            one = self.step(np, dict(zip(self.order, np.split(gates, 4, 1), strict=True)), cs)
            for whole, part in zip(found, one, strict=True):
                whole[t] = part
            cs, h = one[1], one[6]
        return tuple(found)

    def xla(self, xla: Any) -> tuple[Any, ...]:
        np, within = xla.np, xla.np.arange(self.x.shape[0]) < self.seq_len_max

        def one(carry: Any, given: Any) -> Any:
            (cs, h), (x, is_within) = carry, given
            gates = np.concatenate([x, h], 1) @ self.w + self.b
            parts = self.step(np, dict(zip(self.order, np.split(gates, 4, 1), strict=True)), cs)
            after = np.where(is_within, parts[1], cs), np.where(is_within, parts[6], h)
            return after, tuple([np.where(is_within, part, 0) for part in parts])

        _, found = xla.lax.scan(one, (self.cs_prev, self.h_prev), (self.x, within))
        return tuple(found)

    def step(self, np: Any, gates: dict[str, Any], before: Any) -> tuple[Any, ...]:
        i, f, o = gates["i"], gates["f"] + np.asarray(self.bias(), before.dtype), gates["o"]
        if self.use_peephole:
            i, f = i + before * self.wci, f + before * self.wcf
        i, f, ci = logistic(np, i), logistic(np, f), np.tanh(gates["ci"])
        cs = ci * i + before * f
        if self.cell_clip > 0:
            cs = np.clip(cs, -self.cell_clip, self.cell_clip).astype(before.dtype)
        o = logistic(np, o + cs * self.wco if self.use_peephole else o)
        co = np.tanh(cs)
        return i, cs, f, o, ci, co, co * o


def logistic(np: Any, x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    with errstate(over="ignore"):
        return (1 / (1 + np.exp(-x))).astype(x.dtype)


class BlockLSTM(BlockLstm):
    """The gates are in the order i, ci, f, o."""

    seq_len_max = In("i64")
    x = In("T t b n")
    cs_prev = In("T b c")
    h_prev = In("T b c")
    w = In("T k g")
    wci = In("T c")
    wcf = In("T c")
    wco = In("T c")
    b = In("T g")
    i = Out("T t b c")
    cs = Out("T t b c")
    f = Out("T t b c")
    o = Out("T t b c")
    ci = Out("T t b c")
    co = Out("T t b c")
    h = Out("T t b c")
    forget_bias = Attr(1.0)
    cell_clip = Attr(3.0)
    use_peephole = Attr(False)

    def bias(self) -> float:
        return self.forget_bias

    def vjp(self, *doutputs: Any) -> Any:
        return gradients(self, BlockLSTMGrad, doutputs)


class BlockLSTMV2(BlockLstm):
    """The gates are in the order i, f, ci, o; nothing is added to the forget gate."""

    seq_len_max = In("i64")
    x = In("T t b n")
    cs_prev = In("T b c")
    h_prev = In("T b c")
    w = In("T k g")
    wci = In("T c")
    wcf = In("T c")
    wco = In("T c")
    b = In("T g")
    i = Out("T t b c")
    cs = Out("T t b c")
    f = Out("T t b c")
    o = Out("T t b c")
    ci = Out("T t b c")
    co = Out("T t b c")
    h = Out("T t b c")
    cell_clip = Attr(0.0)
    use_peephole = Attr(False)
    order = ("i", "f", "ci", "o")

    def vjp(self, *doutputs: Any) -> Any:
        return gradients(self, BlockLSTMGradV2, doutputs)


def gradients(application: Any, op: type[Op], doutputs: Any) -> tuple[Any, ...]:
    """The gradients of an LSTM by its inputs: those of `cs` and `h` go back."""
    told = application
    given = told.operand_list()
    outputs = (told.i, told.cs, told.f, told.o, told.ci, told.co, told.h)
    found = bind(op, *given, *outputs, doutputs[1], doutputs[6], use_peephole=told.use_peephole)
    return None, *found


class BlockLstmGradient(Op, abstract=True):
    """The gradient of an LSTM over time, of those of all states and all results."""

    order = ("i", "ci", "f", "o")
    given = ("x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b")
    seq_len_max: Any
    x: Any
    cs_prev: Any
    h_prev: Any
    w: Any
    wci: Any
    wcf: Any
    wco: Any
    b: Any
    i: Any
    cs: Any
    f: Any
    o: Any
    ci: Any
    co: Any
    h: Any
    cs_grad: Any
    h_grad: Any
    use_peephole: Any
    T = LSTMBlockCell.T
    differentiable = False

    def infer(self) -> tuple[TensorSpec, ...]:
        return tuple([TensorSpec(getattr(self, name).shape, self.x.dtype) for name in self.given])

    def eager(self, np: Any) -> tuple[Any, ...]:
        width = self.x.shape[2]
        dx, dw, db = np.zeros_like(self.x), np.zeros_like(self.w), np.zeros_like(self.b)
        dcs, dh = np.zeros_like(self.cs_prev), np.zeros_like(self.h_prev)
        peepholes = [np.zeros_like(one) for one in (self.wci, self.wcf, self.wco)]
        for t in reversed(range(min(len(self.x), int(self.seq_len_max)))):
            before = self.cs[t - 1] if t else self.cs_prev
            state = self.h[t - 1] if t else self.h_prev
            gates, dcs, shares = self.back(t, before, dcs + self.cs_grad[t], dh + self.h_grad[t])
            for total, share in zip(peepholes, shares, strict=False):
                total += share
            joined = np.concatenate([gates[name] for name in self.order], 1)
            both = joined @ self.w.T
            dx[t], dh = both[:, :width], both[:, width:]
            dw += np.concatenate([self.x[t], state], 1).T @ joined
            db += joined.sum(0)
        return dx, dcs, dh, dw, *peepholes, db

    def xla(self, xla: Any) -> tuple[Any, ...]:
        np, steps, width = xla.np, self.x.shape[0], self.x.shape[2]
        if not steps:
            return tuple([np.zeros_like(getattr(self, name)) for name in self.given])
        before = np.concatenate([self.cs_prev[None], self.cs[:-1]])
        state = np.concatenate([self.h_prev[None], self.h[:-1]])

        def one(carry: Any, t: Any) -> Any:
            dcs, dh, *sums = carry
            gates, after, shares = self.back(
                t, before[t], dcs + self.cs_grad[t], dh + self.h_grad[t]
            )
            joined = np.concatenate([gates[name] for name in self.order], 1)
            both = joined @ self.w.T
            added = np.concatenate([self.x[t], state[t]], 1).T @ joined, joined.sum(0), *shares
            sums = [total + share for total, share in zip(sums, added, strict=False)]
            found = after, both[:, width:], *sums, *carry[2 + len(sums) :]
            is_within = t < self.seq_len_max
            kept = [np.where(is_within, *pair) for pair in zip(found, carry, strict=True)]
            return tuple(kept), np.where(is_within, both[:, :width], 0)

        names = ("cs_prev", "h_prev", "w", "b", "wci", "wcf", "wco")
        start = tuple([np.zeros_like(getattr(self, name)) for name in names])
        (dcs, dh, dw, db, *peepholes), dx = xla.lax.scan(one, start, np.arange(steps), reverse=True)
        return dx, dcs, dh, dw, *peepholes, db

    def back(
        self, t: Any, before: Any, dcs: Any, dh: Any
    ) -> tuple[dict[str, Any], Any, tuple[Any, ...]]:
        """The gradients by the gates' sums and by the state before, of one step, and what it adds
        to those by the peepholes, where there are any.
        """
        i, f, o, ci, co = (one[t] for one in (self.i, self.f, self.o, self.ci, self.co))
        do = dh * co * o * (1 - o)
        dcs = dh * o * (1 - co * co) + dcs
        if self.use_peephole:
            dcs = dcs + do * self.wco
        di, dci, df = dcs * ci * i * (1 - i), dcs * i * (1 - ci * ci), dcs * before * f * (1 - f)
        after, gates = dcs * f, {"i": di, "ci": dci, "f": df, "o": do}
        if not self.use_peephole:
            return gates, after, ()
        products = di * before, df * before, do * self.cs[t]
        after = after + di * self.wci + df * self.wcf
        return gates, after, tuple([one.sum(0) for one in products])


class BlockLSTMGrad(BlockLstmGradient):
    """That of BlockLSTM."""

    seq_len_max = In("i64")
    x = In("T t b n")
    cs_prev = In("T b c")
    h_prev = In("T b c")
    w = In("T k g")
    wci = In("T c")
    wcf = In("T c")
    wco = In("T c")
    b = In("T g")
    i = In("T t b c")
    cs = In("T t b c")
    f = In("T t b c")
    o = In("T t b c")
    ci = In("T t b c")
    co = In("T t b c")
    h = In("T t b c")
    cs_grad = In("T t b c")
    h_grad = In("T t b c")
    x_grad = Out("T t b n")
    cs_prev_grad = Out("T b c")
    h_prev_grad = Out("T b c")
    w_grad = Out("T k g")
    wci_grad = Out("T c")
    wcf_grad = Out("T c")
    wco_grad = Out("T c")
    b_grad = Out("T g")
    use_peephole = Attr()


class BlockLSTMGradV2(BlockLstmGradient):
    """That of BlockLSTMV2."""

    seq_len_max = In("i64")
    x = In("T t b n")
    cs_prev = In("T b c")
    h_prev = In("T b c")
    w = In("T k g")
    wci = In("T c")
    wcf = In("T c")
    wco = In("T c")
    b = In("T g")
    i = In("T t b c")
    cs = In("T t b c")
    f = In("T t b c")
    o = In("T t b c")
    ci = In("T t b c")
    co = In("T t b c")
    h = In("T t b c")
    cs_grad = In("T t b c")
    h_grad = In("T t b c")
    x_grad = Out("T t b n")
    cs_prev_grad = Out("T b c")
    h_prev_grad = Out("T b c")
    w_grad = Out("T k g")
    wci_grad = Out("T c")
    wcf_grad = Out("T c")
    wco_grad = Out("T c")
    b_grad = Out("T g")
    use_peephole = Attr()
    order = ("i", "f", "ci", "o")
