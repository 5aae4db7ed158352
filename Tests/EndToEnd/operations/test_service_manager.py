"""What the server tells systemd: that it is ready, that it is alive, that it stops (sd_notify)."""

import socket

from support.server import Server


class Manager:
    """The end of the notification socket that systemd holds."""

    def __init__(self, path: str):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)
        self.socket.settimeout(60)

    def next(self) -> str:
        return self.socket.recv(4096).decode()


def test_systemd_learns_that_it_is_ready_alive_and_stopping(new_server, tmp_path):
    manager = Manager(str(tmp_path / "notify"))
    server: Server = new_server({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "400000"})
    server.start()
    assert manager.next() == "READY=1"
    assert [manager.next() for _ in range(3)] == ["WATCHDOG=1"] * 3
    server.stop()
    last = manager.next()
    while last == "WATCHDOG=1":
        last = manager.next()
    assert last == "STOPPING=1"


def test_a_name_of_the_abstract_kind_is_taken(new_server):
    name = "earshot-notify-test"
    manager = Manager("\0" + name)
    server: Server = new_server({"NOTIFY_SOCKET": "@" + name})
    server.start()
    assert manager.next() == "READY=1"
    server.stop()
    assert manager.next() == "STOPPING=1", "without an interval there is no watchdog message"


def test_a_manager_that_went_away_ends_nothing(new_server, tmp_path):
    server: Server = new_server({"NOTIFY_SOCKET": str(tmp_path / "nobody-listens"), "WATCHDOG_USEC": "400000"})
    server.start()
    assert server.answers()
    server.stop()
    assert "The service manager could not be notified." in server.log()
