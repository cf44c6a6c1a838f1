from __future__ import annotations

from tests.test_import import run


def test_no_modules_wait_for_each_other_in_a_circle() -> None:
    """So that threads may import what they like, at once: see tests/import_order.py."""
    assert run("from tests import import_order; import_order.main()").stdout == "no circle\n"
