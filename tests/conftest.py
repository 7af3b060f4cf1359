"""The option for tests that take minutes, and how much Hypothesis tries."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "usual",
    deadline=None,
    derandomize=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# Where a change is judged, the examples are the same each time.
settings.register_profile("judging", settings.get_profile("usual"), derandomize=True)
settings.load_profile("judging" if os.environ.get("CI") else "usual")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests marked long as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    for item in items:
        if "long" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="takes minutes; run with --long"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> object:
    """Where the shared test data must be used, a test that skips for its absence fails."""
    outcome = yield
    report = outcome.get_result()
    if (
        report.skipped
        and os.environ.get("XMLFIX_REQUIRE_SHARED")
        and "no shared test data" in str(report.longrepr)
    ):
        report.outcome = "failed"
