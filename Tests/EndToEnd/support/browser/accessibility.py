"""Runs axe-core on a page and on every frame in it."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


# An element that fades in has little contrast at first. Endless animations (the recorder's dot) are not waited for.
STILL = (
    "Promise.allSettled(document.getAnimations().filter(one => one.effect.getComputedTiming().endTime < "
    "Infinity).map(one => one.finished))"
)
# Each frame by itself: a document in a frame may have a banner and a main part of its own, as the page around it has.
ALONE = {"resultTypes": ["violations"], "iframes": False}


def assert_accessible(page: Page, state: str) -> None:
    for frame in page.frames:
        frame.evaluate(f"{STILL}.then(() => null)")
        assert_clean(Axe().run(frame, options=ALONE).response["violations"], state)


def assert_clean(found: list[dict], state: str) -> None:
    told = [f"{one['id']} ({one['impact']}): {one['help']}: {shown(one['nodes'][0])}" for one in found]
    assert not told, f"{state}:\n" + "\n".join(told)


def shown(node: dict) -> str:
    """Where it is, and what axe compared it with."""
    others = [
        other["html"][:100] for check in node["any"] + node["all"] + node["none"] for other in check["relatedNodes"]
    ]
    return " / ".join([node["html"][:160], *others])
