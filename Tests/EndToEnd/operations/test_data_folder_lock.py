"""One server uses a data folder at a time; commands of its version work next to it."""

import os
import stat

from support import api
from support.demo import discover
from support.server import earshot

IN_USE, UNPROTECTED = 75, 77


def test_a_second_server_on_the_same_data_folder_says_why_it_does_not_start(new_server):
    first = new_server().start()
    second = new_server()
    second.data = first.data
    assert second.start_and_fail() == IN_USE
    assert f"process {first.process.pid}" in second.log() and str(first.data) in second.log(), second.log()
    assert second.log().count("Error:") == 1, second.log()
    assert api.new_consumer(first.url, discover(first)).token, "the first goes on"
    first.stop()


def test_a_killed_server_leaves_no_lock_behind(new_server):
    server = new_server().start()
    server.kill()
    server.start()
    server.stop()


def test_a_command_of_another_version_leaves_a_running_server_alone(new_server):
    server = new_server().start()
    lock = server.data / "lock"
    version = lock.read_text().split()[0]
    suspend = ("suspend", "brand", discover(server).account, "--data", str(server.data))
    assert earshot(*suspend).returncode == 0, "a command of the same version"
    lock.write_text(f"0.0.0-other {server.process.pid}\n")
    refused = earshot("resume", *suspend[1:])
    assert refused.returncode == IN_USE
    assert "0.0.0-other" in refused.stderr and version in refused.stderr, refused.stderr
    server.stop()
    assert earshot("resume", *suspend[1:]).returncode == 0, "the server is gone"


def test_the_data_folder_is_closed_to_other_users(new_server):
    server = new_server()
    server.data.chmod(0o755)
    server.start()
    assert stat.S_IMODE(os.stat(server.data).st_mode) == 0o700
    server.stop()


def test_a_folder_with_other_files_is_not_closed_to_others_but_refused(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    (home / "letter.txt").write_text("not ours")
    refused = earshot("add", "brand", "shop", "--name", "Shop", "--data", str(home))
    assert refused.returncode == UNPROTECTED and str(home) in refused.stderr, refused.stderr
    assert stat.S_IMODE(os.stat(home).st_mode) == 0o755
