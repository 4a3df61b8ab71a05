"""Encryption and tokens, over real sockets: who gets in, how far, and what those who do not are told."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import ssl
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from smartbrain import AsyncClient, Client, InvalidArgument, PermissionDenied, Unauthenticated, Unavailable
from smartbrain.v1.brain_service_pb2 import CommitTurnRequest, ListMemoriesRequest
from smartbrain.v1.event_pb2 import Message, TurnEvents

from brain_core import load_policy
from brain_core.errors import PolicyError
from brain_core.policy import TokenRow
from brain_server.addresses import AddressError
from brain_server.app import App
from brain_server.services.table import SERVICES
from brain_server.tokens import RIGHTS, Tokens
from tests.building import open_brain, turn
from tests.server.certificates import files

SAID = [{"role": "user", "content": "My sister Mei lives in Kyoto. 她对花生过敏。"}]
TEAM, OPS, SCRAPE, READER = ("team" * 8, "ops." * 8, "scrape" * 6, "reader" * 6)


@dataclass(frozen=True, slots=True)
class Doors:
    """A server with all of its doors behind TLS and tokens. ca: file of its authority."""

    app: App
    ca: Path

    def client(self, token: str | None, memory_id: str = "team-a") -> Client:
        return Client(self.app.addresses[0], token=token, ca=self.ca, memory_id=memory_id)

    def ask(
        self, method: str, path: str, token: str | None, body: str | None = None, address: str = "", host: str = ""
    ) -> tuple[int, dict[str, str], str]:
        """Return (status, headers, content) of an answer over HTTPS."""
        at, _, port = (address or self.app.http_address).rpartition(":")
        context = ssl.create_default_context(cafile=self.ca)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Content-Type": "application/json"} if body else {}
        headers |= {"Host": host} if host else {}
        with closing(http.client.HTTPSConnection(at, int(port), timeout=30, context=context)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    folder = tmp_path_factory.mktemp("doors")
    ca, certificate, key = files(folder, "127.0.0.1", "localhost")
    (folder / "team.token").write_text(f"{TEAM}\r\n", "utf-8-sig")  # as Notepad writes it
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPS_TOKEN", OPS)
        tokens = [
            {"name": "team", "file": str(folder / "team.token"), "memories": ["team-*", "小组*"]},
            {"name": "ops", "env": "OPS_TOKEN", "rights": ["read", "write", "admin"]},
            {"name": "prometheus", "sha256": hashlib.sha256(SCRAPE.encode()).hexdigest(), "rights": []},
            {"name": "reader", "sha256": hashlib.sha256(READER.encode()).hexdigest(), "rights": ["read"]},
        ]
        tls = {"certificate": str(certificate), "key": str(key)}
        policy = load_policy({"server": {"tls": tls, "tokens": tokens}})
        app = App(folder / "data", policy, ["127.0.0.1:0"], "127.0.0.1:0", "127.0.0.1:0")
    try:
        yield Doors(app, ca)
    finally:
        app.stop()


def test_every_call_has_a_right() -> None:
    services = [descriptor_pool.Default().FindServiceByName(name) for name in SERVICES]
    assert {call.name for service in services for call in service.methods} == set(RIGHTS)


def test_a_token_reaches_its_memories_alone(doors: Doors) -> None:
    with doors.client(TEAM) as brain:
        brain.commit("monday", SAID)
        brain.commit("monday", SAID, memory_id="小组一")
        assert "花生" in str(brain.compose("tuesday", "Where does Mei live?").context.evidence[0].snippet)
        with pytest.raises(PermissionDenied) as refused:
            brain.commit("monday", SAID, memory_id="bob")
        assert refused.value.reason == "TOKEN_MEMORY"
        assert (refused.value.field, refused.value.value) == ("memory_id", "bob")
        assert refused.value.limit == "team-*, 小组*"
        assert "team" in refused.value.message
        assert refused.value.hint
        for other in ("a-team-", "Team-a", "team", "bob\nteam-a"):
            with pytest.raises(PermissionDenied):
                list(brain.sessions(memory_id=other))
    with doors.client(OPS, "bob") as brain, pytest.raises(Exception, match="there is no memory 'bob'"):
        list(brain.sessions())


def test_a_list_of_memories_has_those_that_a_token_reaches(doors: Doors) -> None:
    everywhere = ("team-a", "team-b", "team", "tea", "bob", "小组一", "小", "a-team-")
    with doors.client(OPS) as brain:
        for memory_id in everywhere:
            brain.commit("monday", SAID, memory_id=memory_id)
        listed = [one.memory_id for one in brain.memories()]
        assert set(everywhere) <= set(listed)
        assert listed == sorted(listed, key=str.encode)
    within = [one for one in listed if one.startswith(("team-", "小组"))]
    with doors.client(TEAM) as brain:
        for size in (1, 2, 100):
            assert [one.memory_id for one in brain.memories(page_size=size)] == within
        assert [one.memory_id for one in brain.memories(prefix="team-b")] == ["team-b"]
        assert [one.memory_id for one in brain.memories(prefix="te")] == [one for one in within if one[0] == "t"]
        assert list(brain.memories(prefix="bob")) == []
    with doors.client(SCRAPE) as brain, pytest.raises(PermissionDenied) as refused:
        list(brain.memories())
    assert refused.value.reason == "TOKEN_RIGHT"
    status, _, content = doors.ask("GET", "/v1/memories?prefix=team-b", TEAM)
    assert (status, [one["memory_id"] for one in json.loads(content)["memories"]]) == (200, ["team-b"])
    assert json.loads(doors.ask("GET", "/v1/memories?prefix=bob", TEAM)[2]) == {}
    assert doors.ask("GET", "/v1/memories", None)[0] == 401


@pytest.mark.parametrize(
    ("globs", "reached"),
    [
        (["a*", "ab*", "b"], ["a", "ab", "abc", "b"]),
        (["*c", "b*"], ["abc", "b", "bc", "c"]),
        (["b?", "bc"], ["bc"]),
        ([], []),
        (["*"], ["a", "ab", "abc", "b", "bc", "c"]),
        (["a*c", "c", "c*"], ["abc", "c"]),
    ],
)
def test_whatever_names_a_token_has_each_memory_is_listed_once(
    folder: Path, globs: list[str], reached: list[str]
) -> None:
    row = TokenRow(name="one", sha256="0" * 64, file="", env="", memories=globs, rights=["read"])
    reach = Tokens([row])._callers[0][1].reach
    with open_brain(folder) as brain:
        for memory_id in ("c", "bc", "b", "abc", "ab", "a"):
            brain.commit_turn(turn(memory_id, "s", messages=[Message(role="user", content="Hello.")]))
        for size in (1, 2, 100):
            request, found = ListMemoriesRequest(page_size=size), list[str]()
            while page := brain.list_memories(request, reach):
                found += [one.memory_id for one in page.memories]
                request.page_token = page.next_page_token
                if not page.next_page_token:
                    break
            assert found == reached


def test_without_a_token_or_with_a_wrong_one_nobody_gets_in(doors: Doors) -> None:
    for token, reason in ((None, "TOKEN_MISSING"), (TEAM[:-1] + "x", "TOKEN_UNKNOWN"), (TEAM + "x", "TOKEN_UNKNOWN")):
        with doors.client(token) as brain:
            for call in (
                brain.status,
                brain.metrics,
                lambda brain=brain: brain.commit("s", SAID),
                lambda brain=brain: brain.ingest("text", document_id="d"),
                lambda brain=brain: list(brain.verify()),
            ):
                with pytest.raises(Unauthenticated) as refused:
                    call()
                assert refused.value.reason == reason
                assert "token" in refused.value.hint


def test_rights_are_told_apart(doors: Doors) -> None:
    with doors.client(TEAM) as brain:
        turn = brain.commit("rights", SAID).turn_id
        brain.ingest("The baker closes at six.", document_id="baker")
        for call in (
            lambda: brain.delete_turn(turn),
            lambda: brain.delete_session("rights"),
            lambda: brain.delete_memory("team-a"),
            lambda: brain.delete_document("baker", purge=True),
            lambda: list(brain.verify("team-a")),
            lambda: list(brain.rebuild_index("team-a")),
            lambda: list(brain.backup("/tmp/nowhere")),
        ):
            with pytest.raises(PermissionDenied) as refused:
                call()
            assert refused.value.reason == "TOKEN_RIGHT"
            assert "admin" in refused.value.message
        with pytest.raises(PermissionDenied, match="the whole server"):
            brain.status()
        brain.delete_document("baker")
    with doors.client(READER) as brain:
        assert list(brain.turns("rights"))
        assert brain.status().memories
        with pytest.raises(PermissionDenied, match="write"):
            brain.commit("rights", SAID)
    with doors.client(SCRAPE) as brain:
        assert "smartbrain_memories" in brain.metrics()
        with pytest.raises(PermissionDenied):
            brain.compose("rights", "Where does Mei live?")
    with doors.client(OPS) as brain:
        assert brain.delete_turn(turn)
        assert list(brain.verify())


def test_a_stream_is_stopped_at_the_first_memory_out_of_reach(doors: Doors) -> None:
    turns = [
        CommitTurnRequest(
            memory_id=memory_id,
            session_id="stream",
            request_id=str(at),
            turn=TurnEvents(messages=[Message(role="user", content=SAID[0]["content"])]),
        )
        for at, memory_id in enumerate(("team-s", "team-s", "bob", "team-s"))
    ]
    with doors.client(TEAM) as brain:
        with pytest.raises(PermissionDenied) as refused:
            brain.commit_many(turns)
        assert (refused.value.index, refused.value.metadata["committed"]) == (2, "2")
        assert len(list(brain.turns("stream", memory_id="team-s"))) == 2
        with pytest.raises(PermissionDenied):
            brain.ingest("The baker closes at six.", document_id="baker", memory_id="bob")


def test_the_asynchronous_client_gets_in(doors: Doors) -> None:
    async def talk() -> None:
        async with AsyncClient(doors.app.addresses[0], memory_id="team-aio", token=TEAM, ca=doors.ca) as brain:
            await brain.commit("monday", SAID)
            await brain.ingest("The baker closes at six.", document_id="baker")
            assert (await brain.compose("tuesday", "Where does Mei live?")).context.evidence
            with pytest.raises(PermissionDenied):
                await brain.delete_memory("team-aio")
        async with AsyncClient(doors.app.addresses[0], ca=doors.ca) as brain:
            with pytest.raises(Unauthenticated):
                await brain.status()

    asyncio.run(talk())


def test_health_needs_no_token(doors: Doors) -> None:
    credentials = grpc.ssl_channel_credentials(doors.ca.read_bytes())
    with grpc.secure_channel(doors.app.addresses[0], credentials) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        answer = health.Check(health_pb2.HealthCheckRequest(), timeout=10)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_over_http(doors: Doors) -> None:
    path = "/v1/memories/team-http/sessions/monday/turns:commit"
    body = json.dumps({"turn": {"messages": SAID}})
    assert doors.ask("POST", path, TEAM, body)[0] == 200
    assert doors.ask("GET", "/v1/memories/team-http/sessions", TEAM, host="brain.example.org")[0] == 200
    for token in (None, "nobody" * 6):
        status, headers, content = doors.ask("POST", path, token, body)
        assert (status, headers["www-authenticate"]) == (401, 'Bearer realm="smartbrain"')
        assert json.loads(content)["error"]["status"] == "UNAUTHENTICATED"
    status, headers, content = doors.ask("POST", path.replace("team-http", "bob"), TEAM, body)
    assert status == 403
    assert json.loads(content)["error"]["details"][0]["metadata"]["value"] == "bob"
    assert "www-authenticate" not in headers


def test_metrics_need_a_token_of_no_rights(doors: Doors) -> None:
    address = doors.app.metrics_address
    assert doors.ask("GET", "/metrics", None, address=address)[0] == 401
    status, _, page = doors.ask("GET", "/metrics", SCRAPE, address=address)
    assert status == 200
    assert 'code="UNAUTHENTICATED"' in page
    for name in ("prometheus", TEAM, OPS, SCRAPE, hashlib.sha256(TEAM.encode()).hexdigest()):
        assert name not in page


def test_nothing_shows_a_token(doors: Doors, capsys: pytest.CaptureFixture[str]) -> None:
    with doors.client(TEAM[:-1] + "y") as brain, pytest.raises(Unauthenticated) as refused:
        brain.status()
    with doors.client(TEAM) as brain:
        with pytest.raises(PermissionDenied) as denied:
            brain.status()
        package = brain.compose("monday", "Who?").context
        dumped = str(brain.get_context(package.context_id))
    seen = (
        f"{capsys.readouterr()}{refused.value!r}{refused.value.metadata}{denied.value!r}{denied.value.metadata}{dumped}"
    )
    for secret in (TEAM[:-1], OPS, hashlib.sha256(TEAM.encode()).hexdigest()):
        assert secret not in seen


def test_who_speaks_in_the_clear_is_told_what_to_do(doors: Doors) -> None:
    with Client(doors.app.addresses[0], token=TEAM, retries=0) as brain, pytest.raises(Unavailable) as refused:
        brain.status()
    assert "brain --ca" in refused.value.hint
    with (
        Client(doors.app.addresses[0], token=TEAM, tls=True, retries=0) as brain,
        pytest.raises(Unavailable) as refused,
    ):
        brain.status()
    assert "signed" in refused.value.hint


def test_a_server_that_asks_for_certificates(folder: Path) -> None:
    ca, certificate, key = files(folder, "127.0.0.1")
    stranger = folder / "stranger"
    stranger.mkdir()
    _, other, other_key = files(stranger, "127.0.0.1")
    tls = {"certificate": str(certificate), "key": str(key), "client_ca": str(ca)}
    app = App(folder / "data", load_policy({"server": {"tls": tls}}), ["127.0.0.1:0"])
    try:
        with Client(app.addresses[0], ca=ca, certificate=certificate, key=key) as brain:
            assert brain.status().version
        for shown, its_key in ((None, None), (other, other_key)):
            stranger_here = Client(app.addresses[0], ca=ca, retries=0, certificate=shown, key=its_key)
            with stranger_here as brain, pytest.raises(Unavailable):
                brain.status()
    finally:
        app.stop()


def test_one_brain_asks_another_with_a_token(doors: Doors, folder: Path) -> None:
    with doors.client(TEAM, "team-handbook") as brain:
        brain.commit("monday", [{"role": "user", "content": "The spare key hangs in the shed."}])
    (folder / "token").write_text(TEAM)
    row: dict[str, object] = {
        "name": "wiki",
        "target": doors.app.addresses[0],
        "memory_id": "team-handbook",
        "when": "always",
    }
    row |= {"ca": str(doors.ca), "token_file": str(folder / "token"), "timeout_ms": 5000}
    app = App(folder / "data", load_policy({"resources": {"remote": [row]}}), [f"unix:{folder}/sock"])
    try:
        with Client(app.addresses[0], memory_id="mine") as brain:
            brain.commit("monday", SAID)
            found = brain.compose("tuesday", "Where is the spare key?").context
            assert "shed" in str([evidence.snippet for evidence in found.evidence])
            assert brain.status().executors[0].state == "ready"
    finally:
        app.stop()


@pytest.mark.parametrize(
    ("target", "sent"),
    [
        ("127.0.0.1:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("unix:/tmp/x", True),
        ("ipv4:127.0.0.1:1", True),
        ("10.0.0.7:1", False),
        ("brain.example.org:1", False),
        ("dns:///brain.example.org:1", False),
        ("localhost.example.org:1", False),
        ("0.0.0.0:1", False),
    ],
)
def test_a_token_goes_to_no_other_machine_in_the_clear(target: str, sent: bool) -> None:
    if sent:
        Client(target, token=TEAM).close()
        return
    with pytest.raises(InvalidArgument) as refused:
        Client(target, token=TEAM)
    assert refused.value.field == "token"
    assert TEAM not in f"{refused.value}{refused.value.metadata}"
    Client(target, token=TEAM, tls=True).close()


def test_a_server_whose_files_are_of_no_use_names_field_and_file(folder: Path) -> None:
    ca, certificate, key = files(folder, "127.0.0.1")
    other = folder / "other"
    other.mkdir()
    _, _, other_key = files(other, "127.0.0.1")
    text = folder / "text"
    text.write_text("no certificate")
    good = {"certificate": str(certificate), "key": str(key), "client_ca": str(ca)}
    for field, path, why in (
        ("certificate", folder / "none", "No such file"),
        ("certificate", text, "no file in PEM"),
        ("certificate", key, "holds no certificate"),
        ("key", folder, "Is a directory"),
        ("key", certificate, "holds no private key"),
        ("key", other_key, "is not the key of"),
        ("client_ca", key, "holds no certificate"),
    ):
        policy = load_policy({"server": {"tls": {**good, field: str(path)}}})
        with pytest.raises(PolicyError, match=why) as refused:
            App(folder / "data", policy, ["127.0.0.1:0"])
        assert f"server.tls.{field}: {path} " in str(refused.value)
    assert not (folder / "data").exists()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"name": "a"}], "server.tokens.0 (a): needs one of sha256, file, env"),
        ([{"name": "a", "sha256": "0" * 64, "env": "HOME"}], "has sha256 and env"),
        ([{"name": "a", "file": "/nowhere/token"}], "server.tokens.0.file: /nowhere/token cannot be read"),
        ([{"name": "a", "env": "NO_SUCH_VARIABLE"}], "server.tokens.0.env: there is no variable NO_SUCH_VARIABLE"),
        ([{"name": "a", "env": "SHORT_TOKEN"}], "server.tokens.0.env: SHORT_TOKEN: is no token"),
        ([{"name": "a", "sha256": "0" * 64}, {"name": "b", "sha256": "0" * 64}], "has the token of a"),
        ([{"name": "a", "sha256": "0" * 64}, {"name": "a", "sha256": "1" * 64}], "has the name of a"),
    ],
)
def test_tokens_of_no_use_are_named(
    rows: list[dict[str, str]], words: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHORT_TOKEN", "hunter2")
    with pytest.raises(PolicyError) as refused:
        App(folder / "data", load_policy({"server": {"tokens": rows}}), [f"unix:{folder}/sock"])
    assert words in str(refused.value)
    assert "hunter2" not in f"{refused.value}{refused.value.value}"


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"tls": {"certificate": "c.pem"}}, "server.tls.key"),
        ({"tls": {"key": "k.pem"}}, "server.tls.key"),
        ({"tls": {"client_ca": "k.pem"}}, "server.tls.client_ca"),
        ({"tokens": [{"name": "a", "token": "hunter2-hunter2-hunter2"}]}, "server.tokens.0.token: unknown key"),
        ({"tokens": [{"name": "a", "sha256": "hunter2-hunter2"}]}, "server.tokens.0.sha256"),
        ({"tokens": [{"name": "a", "rights": ["root"]}]}, "server.tokens.0.rights.0"),
        ({"tokens": "hunter2"}, "server.tokens: "),
        ({"tokens": ["hunter2"]}, "server.tokens.0: expected a section"),
    ],
)
def test_settings_of_no_use_are_named(section: dict[str, object], words: str) -> None:
    with pytest.raises(PolicyError) as refused:
        load_policy({"server": section})
    assert words in str(refused.value)
    assert "hunter2" not in f"{refused.value}{refused.value.value}"


def test_a_remote_row_that_would_send_its_token_in_the_clear(folder: Path) -> None:
    (folder / "token").write_text(TEAM)
    row = {"name": "wiki", "target": "10.0.0.7:7700", "token_file": str(folder / "token")}
    with pytest.raises(PolicyError, match=r"resources.remote \(wiki\): token: would go to 10.0.0.7:7700 unencrypted"):
        App(folder / "data", load_policy({"resources": {"remote": [row]}}), [f"unix:{folder}/sock"])


def test_a_server_without_http_needs_no_folder_beside_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "none"))
    App(folder / "data", load_policy(), [f"unix:{folder}/sock"]).stop()
    _, certificate, key = files(folder, "127.0.0.1")
    policy = load_policy({"server": {"tls": {"certificate": str(certificate), "key": str(key)}}})
    with pytest.raises(AddressError, match="no folder for the socket between HTTP and gRPC"):
        App(folder / "data", policy, ["127.0.0.1:0"], http="127.0.0.1:0")
