"""The metrics of a running server, read as Prometheus reads them."""

from dataclasses import dataclass

import requests
from prometheus_client.parser import text_string_to_metric_families

from support.server import Server, free_port

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def settings() -> dict[str, str]:
    """What a server needs to serve metrics."""
    return {"EARSHOT_METRICS_ADDRESS": f"127.0.0.1:{free_port()}"}


def url(server: Server) -> str:
    return f"http://{server.settings['EARSHOT_METRICS_ADDRESS']}/metrics"


@dataclass
class Scrape:
    """One answer: its text, and its values by name and labels."""

    text: str
    content_type: str

    @property
    def families(self) -> dict:
        return {family.name: family for family in text_string_to_metric_families(self.text)}

    @property
    def samples(self) -> list:
        return [sample for family in text_string_to_metric_families(self.text) for sample in family.samples]

    def names(self) -> set[str]:
        """As rules and dashboards write them: with `_total`, `_bucket`, `_sum`, `_count`."""
        return {sample.name for sample in self.samples}

    def value(self, name: str, **labels: str) -> float:
        found = [one.value for one in self.samples if one.name == name and labels.items() <= one.labels.items()]
        assert found, f"no {name} with {labels}"
        return sum(found)


def scrape(server: Server) -> Scrape:
    answer = requests.get(url(server), timeout=20)
    assert answer.status_code == 200, answer.text
    return Scrape(answer.text, answer.headers["content-type"])
