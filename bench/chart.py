"""The chart of the README: how many times tensormill's time each peer takes."""

from __future__ import annotations

from pathlib import Path

from bench.report import PEERS, Row, machine

# As far apart as may be for people who see colours differently (Okabe and Ito's palette).
COLOURS = {
    "tensorflow": "#E69F00",
    "jax": "#0072B2",
    "numba": "#CC79A7",
    "torch": "#D55E00",
}
INCHES_PER_ROW = 0.24


def write_chart(rows: list[Row], path: Path) -> None:
    """Write an SVG: a line for each row, a mark for each peer, tensormill at one."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot, rc_context

    shown = [row for row in rows if "tensormill" in row.times and COLOURS.keys() & row.times.keys()]
    height = INCHES_PER_ROW * len(shown) + 1.2
    # The same rows make the same file on the same day; words stay words.
    with rc_context({"svg.hashsalt": "bench", "svg.fonttype": "none", "font.size": 8}):
        figure, axes = pyplot.subplots(figsize=(9, height), layout="constrained")
        axes.axvline(1, color="black", linewidth=1)
        for place, row in enumerate(shown):
            ours = row.seconds["tensormill"]
            axes.axhline(place, color="#dddddd", linewidth=0.6, zorder=0)
            for peer, colour in COLOURS.items():
                if peer in row.times:
                    axes.plot(row.seconds[peer] / ours, place, "o", color=colour, markersize=4)
        for peer, colour in COLOURS.items():
            if any(peer in row.times for row in shown):
                axes.plot([], [], "o", color=colour, label=PEERS[peer])
        axes.set(
            xscale="log", ylim=(len(shown) - 0.5, -0.5),
            xlabel="times tensormill's time: what is right of the line is slower", title=machine(),
        )  # fmt: skip
        axes.set_yticks(range(len(shown)), [row.work.title for row in shown])
        figure.legend(loc="outside lower right", ncols=len(COLOURS))  # where no mark is
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)
