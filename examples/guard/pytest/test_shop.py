"""Run it with `pytest`."""
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
import heap_guard


@pytest.fixture
def page():
    with heap_guard.open_page((ROOT / "shop.html").as_uri()) as opened:
        yield opened


def test_a_visitor_who_leaves_leaves_nothing_behind(page):
    page.assert_no_leak(lambda: page.evaluate("document.getElementById('visit').click()"))
