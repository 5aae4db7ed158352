"""What the loader takes from a page's main thread, on Chromium with a CPU four times slower:
python main_thread.py http://127.0.0.1:PORT RUNS

The demo shop's page is loaded by turns with the loader and with its script tag taken out; the figure is the difference
of the medians of the main thread's task time (Performance.getMetrics, TaskDuration), from the navigation until a second
after `load`. Prints one JSON object.
"""

import json
import re
import statistics
import sys

from playwright.sync_api import Browser, Route, sync_playwright

THROTTLE = 4
LOADER_TAG = re.compile(r"<script[^>]*/embed/[^>]*>\s*</script>", re.IGNORECASE)


def without_loader(route: Route) -> None:
    answer = route.fetch()
    page, count = LOADER_TAG.subn("", answer.text())
    if count != 1:
        raise SystemExit(f"the demo page has {count} loader tags, not one")
    route.fulfill(response=answer, body=page)


def load(browser: Browser, address: str, with_loader: bool) -> dict[str, float]:
    context = browser.new_context()
    page = context.new_page()
    # Both ways go through the interception, so that its cost is on both sides.
    page.route(re.compile(r"/demo/$"), (lambda route: route.continue_()) if with_loader else without_loader)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address + "/demo/", wait_until="load")
    page.wait_for_timeout(1000)
    found = {metric["name"]: metric["value"] * 1000 for metric in session.send("Performance.getMetrics")["metrics"]}
    context.close()
    return found


def main(address: str, count: int) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        runs: dict[bool, list[dict[str, float]]] = {True: [], False: []}
        for number in range(count + 1):
            for with_loader in (True, False):
                found = load(browser, address, with_loader)
                if number > 0:  # the first pair warms Chromium's own code
                    runs[with_loader].append(found)
        browser.close()

    def added(name: str) -> float:
        return statistics.median(run[name] for run in runs[True]) - statistics.median(run[name] for run in runs[False])

    page_alone = statistics.median(run["TaskDuration"] for run in runs[False])
    parts = {
        "main_thread_ms": "TaskDuration",
        "script_ms": "ScriptDuration",
        "layout_ms": "LayoutDuration",
        "style_ms": "RecalcStyleDuration",
    }
    print(json.dumps({key: added(name) for key, name in parts.items()} | {"page_alone_ms": page_alone}))


main(sys.argv[1], int(sys.argv[2]))
