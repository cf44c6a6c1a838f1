"""A few random pipelines of strings in each run of the tests."""

from __future__ import annotations

import pytest

from tensormill.data.nodes import batching

from .. import pipelines


@pytest.mark.sampled(among="attacks")
def test_strings_go_through_pipelines_as_numbers_do() -> None:
    assert [] == pipelines.attack(20, 0)


@pytest.mark.sampled(among="attacks")
def test_the_attack_finds_strings_that_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    stack = batching.stack_arrays

    def stacked(arrays: list[pipelines.Any]) -> pipelines.Any:
        result = stack(arrays)
        if result.dtype.kind == "O" and result.size:
            result.reshape(-1)[0] = arrays[0]
        return result

    monkeypatch.setattr(batching, "stack_arrays", stacked)
    assert any("strings InternalError" in line for line in pipelines.attack(20, 0))
