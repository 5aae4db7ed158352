"""Metrics: a real server's scrape after a little traffic is what Prometheus expects, and it tells what happened."""

import json
import re
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
import requests

from support import api, metrics, wire
from support.clamd import Clamd
from support.command import earshot, fail, succeed
from support.demo import discover
from support.server import ROOT, free_port
from support.voice import recordings, speech

MONITORING = ROOT / "docs/monitoring"
NAME = re.compile(r"\b(?:earshot|process)_[a-z_]+\b")


@pytest.fixture(scope="module")
def scene(new_server, tmp_path_factory):
    """A server with a scanner that has seen a text, a voice message, a refused upload and a failed sign-in, and its
    scrapes before and after."""
    clamd = Clamd(tmp_path_factory.mktemp("clamd")).start()
    server = new_server({**metrics.settings(), **clamd.settings}).start()
    before = metrics.scrape(server)
    demo = discover(server)
    consumer = api.new_consumer(server.url, demo)
    agent = api.Agent(server.url, demo.account, demo.agent)

    async def talk():
        reader = await wire.Link.open(server.socket_url, {"ticket": agent.ticket()})
        await reader.until("ready")
        writer = await wire.Link.open(server.socket_url, {"token": consumer.token})
        await writer.until("ready")
        await writer.send({"send": "k1", "text": "Where is my parcel?"})
        assert (await writer.until("ok"))["ok"] == "k1"
        await writer.send({"send": "k2", "text": ""})
        assert (await writer.until("no"))["code"] == "text_empty"
        open_sockets = metrics.scrape(server)
        await writer.close()
        await reader.close()
        return open_sockets

    during = wire.run(talk())
    folder = tmp_path_factory.mktemp("voice")
    recording = recordings.encode(speech.speak(folder / "speech.wav"), folder, "WebM/Opus")
    while metrics.scrape(server).value("earshot_scanner", state="ok") != 1:
        assert server.process.poll() is None
    assert api.upload(server.url, consumer, recording).status_code == 200
    refused = api.upload(server.url, consumer, b"not a recording" * 100)
    assert api.code_of(refused) == "not_audio"
    failed = requests.post(
        f"{server.url}/v1/login", timeout=60,
        json={"account": demo.account, "email": demo.agent.email, "password": "wrong"})
    assert api.code_of(failed) == "login_failed"
    yield before, during, metrics.scrape(server), server
    server.stop()
    clamd.stop()


def test_the_scrape_is_text_that_prometheus_accepts(scene):
    scrape = scene[2]
    assert scrape.content_type == metrics.CONTENT_TYPE
    checked = subprocess.run(["promtool", "check", "metrics"], input=scrape.text, capture_output=True, text=True)
    # promtool has no opinion on what it cannot know: names of the process that other exporters use as they are.
    complaints = [line for line in (checked.stdout + checked.stderr).splitlines() if line]
    assert checked.returncode == 0, complaints


def test_no_series_is_there_twice(scene):
    seen = Counter((sample.name, tuple(sorted(sample.labels.items()))) for sample in scene[2].samples)
    assert [series for series, count in seen.items() if count > 1] == []


def test_all_series_of_a_family_are_together(scene):
    order = []
    for line in scene[2].text.splitlines():
        name = line.split()[2] if line.startswith("#") else re.sub(r"(_bucket|_sum|_count)?[{ ].*", "", line)
        if not order or order[-1] != name:
            order.append(name)
    assert len(order) == len(set(order)), [name for name, count in Counter(order).items() if count > 1]


def histograms(scrape):
    """Each histogram's series: its bounds with their counts, and its count."""
    for family in scrape.families.values():
        if family.type != "histogram":
            continue
        series = {}
        for sample in family.samples:
            labels = tuple(sorted((name, value) for name, value in sample.labels.items() if name != "le"))
            one = series.setdefault(labels, {"buckets": [], "count": None, "sum": None})
            if sample.name.endswith("_bucket"):
                one["buckets"].append((float(sample.labels["le"]), sample.value))
            else:
                one[sample.name.rsplit("_", 1)[1]] = sample.value
        yield from ((family.name, labels, one) for labels, one in series.items())


def test_histograms_end_with_infinity_never_fall_and_agree_with_their_count(scene):
    found = list(histograms(scene[2]))
    assert len(found) > 5
    for name, labels, one in found:
        bounds, counts = zip(*one["buckets"])
        assert bounds[-1] == float("inf"), (name, labels)
        assert list(bounds) == sorted(set(bounds)), (name, labels)
        assert list(counts) == sorted(counts), (name, labels)
        assert counts[-1] == one["count"], (name, labels)
        assert one["sum"] is not None, (name, labels)


def test_what_happened_is_counted(scene):
    before, during, after, _ = scene
    def rise(name, **labels):
        return after.value(name, **labels) - before.value(name, **labels)

    assert rise("earshot_changes_total", result="stored") >= 1
    assert rise("earshot_refusals_total", code="text_empty") == 1
    assert rise("earshot_refusals_total", code="not_audio") == 1
    assert rise("earshot_refusals_total", code="login_failed") == 1
    assert rise("earshot_recordings_total", result="playable") == 1
    assert rise("earshot_recordings_total", result="refused") == 1
    assert rise("earshot_recording_playable_seconds_count") == 1
    assert rise("earshot_command_seconds_count") == 2
    assert rise("earshot_commit_seconds_count") >= 1
    assert rise("earshot_http_requests_total", route="/v1/login", status="4xx") == 1
    assert rise("earshot_delivery_seconds_count") >= 1
    assert during.value("earshot_connections") >= 2
    assert during.value("earshot_sockets", role="consumer") == 1
    assert during.value("earshot_sockets", role="agent") == 1
    assert after.value("earshot_recordings_late") == 0
    assert after.value("earshot_ready") == 1
    assert after.value("earshot_problem", reason="storage_failed") == 0
    assert after.value("process_open_fds") > 10
    assert after.value("earshot_disk_free_bytes", volume="data") > 0


def test_the_time_of_the_last_backup_is_reported(scene, tmp_path):
    server = scene[3]
    assert metrics.scrape(server).value("earshot_backup_seconds") == 0
    fail("backup", "/dev/null/no-folder", "--data", str(server.data))
    assert metrics.scrape(server).value("earshot_backup_seconds") == 0, "a failed one does not count"
    began = time.time()
    succeed("backup", str(tmp_path / "backups"), "--data", str(server.data))
    assert began - 1 <= metrics.scrape(server).value("earshot_backup_seconds") <= time.time() + 1
    assert "[ok]   backup " in earshot("doctor", "--data", str(server.data)).stdout
    (server.data / "last-backup").write_text(str(int((time.time() - 3 * 86_400) * 1000)))
    assert "[look] backup " in earshot("doctor", "--data", str(server.data)).stdout


def test_labels_never_contain_what_belongs_to_someone(scene):
    scrape, server = scene[2], scene[3]
    demo = discover(server)
    words = {demo.account, demo.app, demo.agent.email, demo.manager.email}
    values = {value for sample in scrape.samples for value in sample.labels.values()}
    assert not words & values


def test_only_this_path_is_answered(scene):
    url = metrics.url(scene[3])
    assert requests.get(url.replace("/metrics", "/"), timeout=20).status_code == 404
    assert requests.get(url.replace("/metrics", "/v1/session"), timeout=20).status_code == 404
    assert requests.post(url, timeout=20).status_code == 405
    assert requests.get(f"{scene[3].url}/metrics", timeout=20).status_code == 404, "not on the public address"


def test_an_address_that_other_machines_reach_is_refused(new_server):
    server = new_server({"EARSHOT_METRICS_ADDRESS": f"0.0.0.0:{free_port()}"})
    with pytest.raises(AssertionError, match="EARSHOT_METRICS_ADDRESS"):
        server.start()


def test_the_alert_rules_are_valid_and_fire_when_they_should():
    rules = str(MONITORING / "alerts.yml")
    checked = subprocess.run(["promtool", "check", "rules", rules], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    tested = subprocess.run(
        ["promtool", "test", "rules", str(MONITORING / "alerts-test.yml")], capture_output=True, text=True)
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_every_alert_has_a_test():
    rules = (MONITORING / "alerts.yml").read_text()
    tests = (MONITORING / "alerts-test.yml").read_text()
    alerts = re.findall(r"^ *- alert: (\S+)$", rules, re.M)
    assert len(alerts) == len(set(alerts)) > 10
    assert [alert for alert in alerts if f"alertname: {alert}\n" not in tests] == []


# Absent where nothing is configured that they describe.
OPTIONAL = {"earshot_certificate_expires_seconds"}


def test_every_metric_that_the_rules_and_the_dashboard_name_exists(scene):
    known = scene[2].names() | OPTIONAL
    for path in (MONITORING / "alerts.yml", MONITORING / "dashboard.json"):
        named = set(NAME.findall(expressions(path)))
        assert named, path
        assert named - known == set(), path


def expressions(path: Path) -> str:
    if path.suffix == ".json":
        return "\n".join(target["expr"] for panel in panels() for target in panel.get("targets", []))
    return "\n".join(re.findall(r"^ *expr: (.+)$", path.read_text(), re.M))


def panels() -> list[dict]:
    return json.loads((MONITORING / "dashboard.json").read_text())["panels"]


def test_the_dashboard_has_panels_that_do_not_overlap_and_expressions_that_parse(tmp_path):
    ids = [panel["id"] for panel in panels()]
    assert len(ids) == len(set(ids)) > 8
    cells = Counter(
        (x, y)
        for panel in panels()
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    )
    assert max(cells.values()) == 1 and max(x for x, _ in cells) < 24
    rules = [
        {"record": f"panel:expression_{place}:check", "expr": target["expr"].replace("$__rate_interval", "5m")}
        for place, target in enumerate(target for panel in panels() for target in panel.get("targets", []))
    ]
    file = tmp_path / "rules.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    checked = subprocess.run(["promtool", "check", "rules", str(file)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_table_of_metrics_in_the_manual_is_complete(scene):
    """One declaration: the code's. The manual repeats its names, types and help texts."""
    families = {
        family.name + ("_total" if family.type == "counter" else ""): (family.type, family.documentation)
        for family in scene[2].families.values()
    }
    manual = (ROOT / "docs/operating.md").read_text()
    rows = dict(
        (name, (kind, text.replace("\\|", "|")))
        for name, kind, text in re.findall(r"^\| `((?:earshot|process)_\w+)` \| (\w+) \| (.+) \|$", manual, re.M)
    )
    for name in OPTIONAL:
        families.setdefault(name, rows.get(name))
    assert rows == families
