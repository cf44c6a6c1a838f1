"""A process that does everything in turns takes no more as time goes by."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.robust.soak import MAY_GROW, Sample, growth, live

FLAT = [Sample(60.0 * k, k, 100 << 20, 500, 6, 4, 11, 1.0, 500.0) for k in range(8)]


@pytest.mark.sampled(among="long lives")
@pytest.mark.filterwarnings("ignore")  # Keras's own
def test_turns_leave_files_and_threads_as_they_were(tmp_path: Path) -> None:
    samples = live(0, 0, tmp_path)

    assert len(samples) == 4
    assert {(one.files, one.threads, one.left) for one in samples[2:]} == {samples[1][4:7]}


def test_what_stays_flat_is_no_growth() -> None:
    assert growth(FLAT) == []


@pytest.mark.parametrize("name", MAY_GROW)
def test_whatever_grows_is_named(name: str) -> None:
    growing = [one._replace(**{name: getattr(one, name) * (1 + k)}) for k, one in enumerate(FLAT)]

    assert [found.split()[0] for found in growth(growing)] == [name]
