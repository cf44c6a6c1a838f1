from __future__ import annotations

import gc

import pytest

from tensormill.compiler.garbage_collection import collection_paused


def test_cycles_are_kept_until_the_block_ends() -> None:
    with collection_paused():
        assert not gc.isenabled()
        with collection_paused():
            pass
        assert not gc.isenabled()

    assert gc.isenabled()


def fail() -> None:
    with collection_paused():
        raise KeyError


def test_a_failure_ends_the_pause() -> None:
    with pytest.raises(KeyError):
        fail()

    assert gc.isenabled()


def test_a_program_that_collects_by_itself_goes_on_to() -> None:
    gc.disable()
    try:
        with collection_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
