"""Requests of a page that the test answers instead of the server."""

from collections.abc import Callable

from playwright.sync_api import Page, Route

_PROBE = "/interception-is-on"


def intercept(page: Page, pattern: str, answer: Callable[[Route], None]) -> None:
    """Answers the page's matching requests from now on; `page.unroute(pattern)` ends that.

    Chromium says that interception is on before the page's frame has the loader that intercepts, so that a request
    right after `page.route` can still reach the server. This function returns when a request of the page was
    intercepted.
    """
    page.route(pattern, answer)
    page.route(f"**{_PROBE}", lambda route: route.fulfill(status=204))
    page.wait_for_function(f"() => fetch('{_PROBE}').then(({{ status }}) => status === 204)")
    page.unroute(f"**{_PROBE}")
