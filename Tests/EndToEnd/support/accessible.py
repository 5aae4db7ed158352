"""axe-core over a page and over every frame in it: run from a page alone, axe passes by a frame where it is not."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def assert_accessible(page: Page, state: str) -> None:
    for frame in page.frames:
        assert_clean(Axe().run(frame).response["violations"], state)


def assert_clean(found: list[dict], state: str) -> None:
    told = [f"{one['id']} ({one['impact']}): {one['help']}: {one['nodes'][0]['html'][:160]}" for one in found]
    assert not told, f"{state}:\n" + "\n".join(told)
