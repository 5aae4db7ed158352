"""The audit of the log detects each kind of damage; otherwise a clean verdict would prove nothing."""

import pytest

from support.log_audit import audit

SAID = ["a", "b", "c"]
TOLD = {"a": 2, "b": 3, "c": 4}


def log(*texts: str) -> list[dict]:
    return [{"n": 1, "started": {}}, *({"n": place, "text": text} for place, text in enumerate(texts, start=2))]


def test_a_complete_log_passes_the_audit():
    verdict = audit(SAID, TOLD, log("a", "b", "c"))
    assert verdict.is_clean and verdict.acknowledged == 3


def test_an_unacknowledged_message_may_be_present_or_missing():
    assert audit(SAID, {"a": 2}, log("a")).is_clean
    assert audit(SAID, {"a": 2}, log("a", "b")).is_clean


@pytest.mark.parametrize(
    "damage, events",
    [
        ("lost", log("a", "b")),
        ("doubled", log("a", "b", "c", "c")),
        ("reordered", log("b", "a", "c")),
        ("misnumbered", log("b", "a", "c")),
        ("gaps", [event for event in log("a", "b", "c") if event["n"] != 3]),
        ("gaps", [log("a", "b", "c")[0], *log("a", "b", "c")]),
    ],
)
def test_the_audit_counts_each_kind_of_damage(damage, events):
    verdict = audit(SAID, TOLD, events)
    assert getattr(verdict, damage) > 0 and not verdict.is_clean
