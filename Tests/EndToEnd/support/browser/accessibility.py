"""Runs axe-core on a page and on every frame in it."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


# An element that fades in has little contrast at first. Endless animations (the recorder's dot) are not waited for.
STILL = (
    "Promise.allSettled(document.getAnimations().filter(one => one.effect.getComputedTiming().endTime < "
    "Infinity).map(one => one.finished))"
)
# A change of the emulated colour scheme has reached every element by the frame after the next.
PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"
# Each frame by itself: a document in a frame may have a banner and a main part of its own, as the page around it has.
ALONE = {"resultTypes": ["violations"], "iframes": False}


def assert_accessible(page: Page, state: str) -> None:
    page.evaluate(PAINTED)
    for frame in page.frames:
        frame.evaluate(f"{STILL}.then(() => null)")
        assert_clean(Axe().run(frame, options=ALONE).response["violations"], state)


def assert_clean(found: list[dict], state: str) -> None:
    told = [f"{one['id']} ({one['impact']}): {one['help']}: {shown(one['nodes'][0])}" for one in found]
    assert not told, f"{state}:\n" + "\n".join(told)


def shown(node: dict) -> str:
    """Where it is, what axe compared it with, and what it measured."""
    checks = node["any"] + node["all"] + node["none"]
    others = [other["html"][:100] for check in checks for other in check["relatedNodes"]]
    return " / ".join([node["html"][:160], *others, *(check["message"] for check in checks)])
