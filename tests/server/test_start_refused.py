"""A server that cannot start says why in one line, exits with 1 and leaves everything as it was."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from brain_core import Brain, load_policy
from brain_core.models.static import StaticEmbedder
from brain_core.store import keys
from brain_core.store.kv import Batch
from brain_core.store.migrate import FORMAT
from brain_core.store.rocks import RocksKV
from brain_core.store.v1.records_pb2 import StoreRecord
from brain_server.addresses import AddressError
from brain_server.app import App
from tests.server.asking import all_turns, commit
from tests.serving import Server, brain_server, run_server, start_server


@pytest.fixture(scope="module")
def running(server: Server) -> Iterator[Server]:
    with server.stubs() as stubs:
        stubs.brain.CommitTurn(commit("start-refused", "s", "Before the second start."))
        yield server
        assert all_turns(stubs, "start-refused", "s"), "the running server was disturbed"


def line_of_refusal(*arguments: str) -> str:
    """Start a server that must not start; return its one line."""
    ended = run_server(*arguments)
    assert ended.returncode == 1, ended.stderr
    assert ended.stdout == ""
    lines = ended.stderr.splitlines()
    assert len(lines) == 1, ended.stderr
    assert lines[0].startswith("brain-server: ")
    return lines[0]


def start(folder: Path, *more: str) -> tuple[str, ...]:
    """Return arguments that would start a server, but for `more`."""
    return "--data", str(folder / "data"), *(more if "--listen" in more else ("--listen", f"unix:{folder}/sock", *more))


def test_port_taken(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        line = line_of_refusal(*start(folder, "--listen", address))
    assert address in line
    assert "already in use" in line


@pytest.mark.parametrize("option", ["--metrics", "--http"])
def test_port_of_pages_taken(folder: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        line = line_of_refusal(*start(folder, option, address))
        assert f"{option} {address}" in line
        assert "already in use" in line


@pytest.mark.parametrize("option", ["--metrics", "--http"])
@pytest.mark.parametrize("address", ["7790", "unix:/tmp/metrics", "localhost:http", "127.0.0.1:70000", ":7790"])
def test_bad_address_of_pages(folder: Path, option: str, address: str) -> None:
    line = line_of_refusal(*start(folder, option, address))
    assert f"{option} {address}: expected HOST:PORT" in line
    assert "unix:PATH" not in line


@pytest.mark.parametrize("other", ["--listen", "--metrics"])
def test_http_on_an_address_of_another_option(folder: Path, other: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    line = line_of_refusal(*start(folder, other, address, "--http", address))
    assert f"--http {address}" in line
    assert "already in use" in line


def test_metrics_on_the_address_of_the_calls(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    line = line_of_refusal(*start(folder, "--listen", address, "--metrics", address))
    assert f"--metrics {address}" in line
    assert "already in use" in line


@pytest.mark.parametrize("option", ["--metrics", "--http"])
def test_pages_on_the_host_of_another_machine(folder: Path, option: str) -> None:
    assert f"{option} 203.0.113.7:7790" in line_of_refusal(*start(folder, option, "203.0.113.7:7790"))


def test_one_of_two_addresses_taken(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        line = line_of_refusal(*start(folder, "--listen", f"unix:{folder}/sock", "--listen", address))
    assert address in line


@pytest.mark.parametrize("option", ["--listen", "--metrics", "--http"])
def test_a_start_that_fails_lets_go_of_what_it_took(folder: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.create_server(("127.0.0.1", 0)) as free:
        others = {option: f"127.0.0.1:{taken.getsockname()[1]}"}
        place = free.getsockname()
        free.close()
        addresses = [f"127.0.0.1:{place[1]}", f"unix:{folder}/sock", *filter(None, [others.get("--listen")])]
        with pytest.raises(AddressError, match="already in use"):
            App(folder / "data", load_policy({}), addresses, others.get("--metrics", ""), others.get("--http", ""))
    with socket.socket() as connection, pytest.raises(ConnectionRefusedError):
        connection.connect(place)
    assert not (folder / "sock").exists()
    App(folder / "data", load_policy({}), [f"unix:{folder}/sock"]).stop()


def test_socket_of_a_running_server(folder: Path, running: Server) -> None:
    line = line_of_refusal(*start(folder, "--listen", running.target))
    assert running.target in line
    assert "another process listens" in line


def test_socket_path_is_a_plain_file(folder: Path) -> None:
    (folder / "sock").write_text("mine")
    line = line_of_refusal(*start(folder))
    assert f"{folder}/sock" in line
    assert "not a socket" in line
    assert (folder / "sock").read_text() == "mine"


def test_socket_in_a_folder_that_is_not_there(folder: Path) -> None:
    assert "does not exist" in line_of_refusal(*start(folder, "--listen", f"unix:{folder}/none/sock"))


def test_socket_path_too_long(folder: Path) -> None:
    line = line_of_refusal(*start(folder, "--listen", f"unix:{folder}/{'s' * 120}"))
    assert "--listen unix:" in line
    assert "107 bytes" in line


@pytest.mark.parametrize(
    "address", ["7700", "localhost", "localhost:http", "127.0.0.1:70000", ":7700", "", "127.0.0.1:"]
)
def test_bad_address(folder: Path, address: str) -> None:
    line = line_of_refusal(*start(folder, "--listen", address))
    assert f"--listen {address}" in line
    assert "HOST:PORT or unix:PATH" in line


def test_host_of_another_machine(folder: Path) -> None:
    assert "203.0.113.7:7700" in line_of_refusal(*start(folder, "--listen", "203.0.113.7:7700"))


def test_host_that_no_name_server_knows(folder: Path) -> None:
    assert "nowhere.invalid:7700" in line_of_refusal(*start(folder, "--listen", "nowhere.invalid:7700"))


@pytest.mark.parametrize("option", ["--listen", "--metrics", "--http"])
@pytest.mark.parametrize("host", ["brain..local", "b" * 64])
def test_host_that_is_no_name(folder: Path, option: str, host: str) -> None:
    assert f"{option} {host}:7790: this is no name of a host" in line_of_refusal(*start(folder, option, f"{host}:7790"))


def test_folder_of_a_running_server(folder: Path, running: Server) -> None:
    line = line_of_refusal("--data", str(running.data), "--listen", f"unix:{folder}/sock")
    assert str(running.data) in line
    assert "in use by another process" in line
    assert not (folder / "sock").exists()


def test_verify_of_a_running_server(running: Server) -> None:
    assert "in use by another process" in line_of_refusal("--data", str(running.data), "--verify")


@pytest.mark.parametrize("check", ["--verify", "--reembed"])
def test_what_works_on_a_store_makes_none(folder: Path, check: str) -> None:
    """A folder with a typing error in its name was made, and found sound."""
    line = line_of_refusal("--data", f"{folder}/daat", check)
    assert f"--data {folder}/daat: no store is there" in line
    assert not (folder / "daat").exists()


def test_a_store_without_memories_is_said_to_have_none(folder: Path) -> None:
    Brain.open(folder / "data").close()
    ended = run_server("--data", str(folder / "data"), "--verify")
    assert (ended.returncode, ended.stdout) == (0, "no memories\n")


def _record(folder: Path, record: StoreRecord) -> None:
    kv = RocksKV(folder / "data" / "store", durable=False)
    batch = Batch()
    batch.put(keys.STORE_KEY, record.SerializeToString())
    kv.write(keys.STORE, batch)
    kv.close()


@pytest.mark.parametrize(("number", "age"), [(99, "newer"), (0, "older")])
def test_other_disk_format(folder: Path, number: int, age: str) -> None:
    _record(folder, StoreRecord(format=number, embedder="e", dimension=1, embedder_hash="h"))
    line = line_of_refusal(*start(folder))
    assert f"disk format {number}, {age} than format {FORMAT}" in line


def test_other_embedder(folder: Path) -> None:
    _record(folder, StoreRecord(format=FORMAT, embedder="another-embedder", dimension=1024, embedder_hash="f" * 64))
    line = line_of_refusal(*start(folder))
    assert "another-embedder (1024-d" in line
    assert StaticEmbedder().name in line


def test_other_weights_of_the_same_embedder(folder: Path) -> None:
    embedder = StaticEmbedder()
    record = StoreRecord(format=FORMAT, embedder=embedder.name, dimension=embedder.dimension, embedder_hash="f" * 64)
    _record(folder, record)
    assert "ffffffffffff" in line_of_refusal(*start(folder))


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("storage: {durability: disk}", ["storage: unknown key"]),
        ("policies: {ranking: {bm25_k2: 1.0}}", ["policies.ranking.bm25_k2: unknown key"]),
        ("store: {durability: maybe}", ["store.durability", "'disk' or 'process'"]),
        ("server: {workers: 0}", ["server.workers", "greater than or equal to 1"]),
        ("server: {workers: many}", ["server.workers"]),
        ("limits: {top_k: -1, page_size: 2.5}", ["limits.top_k", "limits.page_size"]),
        ("policies: 7", ["policies: expected a section"]),
        ("- a\n- b\n", ["expected keys and values"]),
        ("just words", ["expected keys and values"]),
        ("a: [1, 2\nb: 3\n", ["cannot read", "line"]),
        ("a: b: c", ["cannot read"]),
        ("\t- tabs", ["cannot read"]),
        ("1: 2", ["1: "]),
        ("store:\n  durability: process\n  1: 2\n", ["store.1"]),
    ],
)
def test_bad_config(folder: Path, config: str, words: list[str]) -> None:
    file = folder / "brain.yml"
    file.write_text(config)
    line = line_of_refusal(*start(folder, "--config", str(file)))
    for word in words:
        assert word in line
    assert not (folder / "data").exists(), "a folder was made for a server that could not be"


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ("server: {tokens: [{name: a}]}", "server.tokens.0 (a): needs one of sha256, file, env"),
        ("server: {tls: {certificate: none.pem, key: none.pem}}", "server.tls.certificate: none.pem cannot be read"),
        ("embedder: {kind: onnx, folder: /none}", "embedder.folder: "),
        ("llm: {url: http://localhost:1, model: m, api_key_file: /none}", "llm.api_key_file: /none cannot be read"),
        (
            "kinds: [{type: a, prefix: a, parts: [b], policy: overwrite, layer: longterm, category: note, fields: {}, "
            "text: a}]",
            "kinds[0]: 'b' is not a field of its own",
        ),
        (
            "resources: {remote: [{name: w, target: '10.0.0.1:1', token_file: /none}]}",
            "resources.remote (w): token_file: /none cannot be read",
        ),
    ],
)
def test_what_is_found_wrong_later_names_the_file_too(folder: Path, config: str, field: str) -> None:
    """Regression: whatever the file is called, it was called brain.yml, or nothing."""
    file = folder / "mine.yml"
    file.write_text(config)
    line = line_of_refusal(*start(folder, "--config", str(file)))
    assert line.startswith(f"brain-server: {file}: {field}")


def test_config_that_is_not_there(folder: Path) -> None:
    assert f"{folder}/none.yml" in line_of_refusal(*start(folder, "--config", f"{folder}/none.yml"))


def test_config_that_is_a_folder(folder: Path) -> None:
    assert str(folder) in line_of_refusal(*start(folder, "--config", str(folder)))


def test_config_that_is_no_text(folder: Path) -> None:
    (folder / "brain.yml").write_bytes(b"\xff\xfe\x00\x01")
    assert "cannot read" in line_of_refusal(*start(folder, "--config", f"{folder}/brain.yml"))


def test_data_is_a_file(folder: Path) -> None:
    (folder / "data").write_text("mine")
    assert f"{folder}/data" in line_of_refusal(*start(folder))
    assert (folder / "data").read_text() == "mine"


def test_store_is_a_file(folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "store").write_text("mine")
    assert f"{folder}/data/store" in line_of_refusal(*start(folder))


def _line_without_rights(*arguments: str) -> str:
    """As line_of_refusal, for a user who owns nothing, so that root can run these tests too."""
    user = "nobody" if os.geteuid() == 0 else None
    try:
        ended = subprocess.run(
            [brain_server(), *arguments], capture_output=True, text=True, timeout=60, check=False, user=user
        )
    except PermissionError:
        pytest.skip("another user may not run this environment's brain-server")
    if "Permission denied" in ended.stderr and "Traceback" in ended.stderr and str(arguments[1]) not in ended.stderr:
        pytest.skip("another user may not read this environment")
    assert ended.returncode == 1, ended.stderr
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    return ended.stderr


def test_folder_that_may_not_be_written(folder: Path) -> None:
    folder.chmod(0o755)
    (folder / "data").mkdir()
    (folder / "data").chmod(0o555)
    line = _line_without_rights(*start(folder))
    assert str(folder / "data") in line
    assert "ermission denied" in line


def test_store_that_may_not_be_written(folder: Path) -> None:
    folder.chmod(0o755)
    start_server(folder).terminate()
    store = folder / "data" / "store"
    for file in store.iterdir():
        file.chmod(0o444)
    store.chmod(0o555)
    line = _line_without_rights(*start(folder))
    store.chmod(0o755)
    assert str(store) in line
    assert "in use" not in line, "a right that is missing was taken for a lock that is held"
    assert "ermission denied" in line


def test_no_folder_given() -> None:
    ended = run_server("--listen", "127.0.0.1:0")
    assert ended.returncode == 2
    assert "--data" in ended.stderr
