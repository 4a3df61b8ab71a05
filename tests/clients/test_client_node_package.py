"""The Node client as a package: its types, what it carries, its examples."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
from importlib import import_module
from pathlib import Path

import pytest
from google.protobuf.descriptor import FieldDescriptor
from smartbrain import Client

from tests.clients.node import PACKAGE
from tests.serving import Server

FILES = [
    import_module(f"smartbrain.v1.{proto.stem}_pb2")
    for proto in sorted((PACKAGE.parents[1] / "protos/smartbrain/v1").glob("*.proto"))
]

pytestmark = pytest.mark.usefixtures("node_is_here")


def test_the_types_have_every_message_field_and_enum() -> None:
    subprocess.run(["node", "scripts/types.js"], cwd=PACKAGE, check=True)
    types = (PACKAGE / "src/contracts.d.ts").read_text("utf-8")
    shown = {
        name: set(re.findall(r"^  (\w+)\??: ", body, re.MULTILINE))
        for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}", types, re.MULTILINE | re.DOTALL)
    }
    messages = [message for file in FILES for message in file.DESCRIPTOR.message_types_by_name.values()]
    assert shown == {message.name: {field.name for field in message.fields} for message in messages}
    for file in FILES:
        for enum in file.DESCRIPTOR.enum_types_by_name.values():
            assert all(f"| '{value.name}'" in types for value in enum.values)
    unset = {
        f"{name}.{field}"
        for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}", types, re.MULTILINE | re.DOTALL)
        for field in re.findall(r"^  (\w+)\?: ", body, re.MULTILINE)
    }
    assert unset == {
        f"{message.name}.{field.name}"
        for message in messages
        for field in message.fields
        if field.has_presence or (field.type == FieldDescriptor.TYPE_MESSAGE and not field.is_repeated)
    }


PAGES = [PACKAGE.parents[1] / "README.md", PACKAGE.parents[1] / "README.zh-CN.md", PACKAGE / "README.md"]
EXAMPLES = [
    (page, code)
    for page in PAGES
    for code in re.findall(r"^```js\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
]


@pytest.mark.parametrize(("page", "code"), EXAMPLES)
def test_examples_run(page: Path, code: str, server: Server, tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/smartbrain").symlink_to(PACKAGE)
    (tmp_path / "package.json").write_text('{"name": "example"}')
    given = "const callYourModel = async (messages) => `You moved to Lisbon, of ${messages.length} messages.`;\n"
    (tmp_path / "example.mjs").write_text(given + code.replace("127.0.0.1:7700", server.target), "utf-8")
    ran = subprocess.run(["node", "example.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    if page != PACKAGE / "README.md":
        assert "小梅对花生过敏" in ran.stdout
    elif "console.log" in code:
        assert ran.stdout.startswith("decision:web:database Postgres\nsession_id ")


PROGRAM = """
import { Client, NotFound, renderMessages, type Given, type TurnEvents } from 'smartbrain';
import { render } from 'smartbrain/render';

const brain = new Client('127.0.0.1:7700', { memory_id: 'ann', timeout: 3 });
const turn: Given<TurnEvents> = {
  decisions: [{ topic: 'db', decision: 'Postgres' }],
  messages: [{ role: 'user', content: 'x', created_at: new Date() }],
};
const revision: number = (await brain.commit('s', turn, { wait_level: 'WAIT_LEVEL_DURABLE' })).revision;
const { context } = await brain.compose('s', 'hello', { as_of: revision, now: new Date() });
const text: string = render(context) + renderMessages(context)[0].content;
for await (const item of brain.listItems({ statuses: ['ITEM_STATUS_ACTIVE'], as_of: '2024-01-01T00:00:00Z' })) {
  console.log(item.value?.facts, item.created_at, text);
}
await brain.getSession('x').catch((error) => error instanceof NotFound && error.field);
// @ts-expect-error an option that there is not
await brain.compose('s', 'x', { tokenLimit: 3 });
// @ts-expect-error a field that there is not
await brain.commit('s', [{ role: 'user', text: 'x' }]);
// @ts-expect-error a word that there is not
await brain.commit('s', [], { wait_level: 'SOON' });
"""


@pytest.mark.skipif(not (PACKAGE / "node_modules/.bin/tsc").exists(), reason="there is no tsc in clients/node")
def test_a_typescript_program_compiles(tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/smartbrain").symlink_to(PACKAGE)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "program.ts").write_text(PROGRAM)
    options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", "node"]
    options += ["--typeRoots", str(PACKAGE / "node_modules/@types")]
    tsc = subprocess.run(
        [PACKAGE / "node_modules/.bin/tsc", *options, "program.ts"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tsc.returncode == 0, tsc.stdout


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm")
def test_a_package_carries_the_protos_and_a_checkout_no_copy(server: Server, tmp_path: Path) -> None:
    command = ["npm", "pack", "--pack-destination", str(tmp_path)]
    subprocess.run(command, cwd=PACKAGE, check=True, capture_output=True)
    assert not (PACKAGE / "protos").exists()
    assert not (PACKAGE / "LICENSE").exists()
    with tarfile.open(next(tmp_path.glob("*.tgz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    (tmp_path / "package/node_modules").symlink_to(PACKAGE / "node_modules")
    (tmp_path / "main.mjs").write_text(
        "import { Client } from './package/src/index.js';\n"
        f"console.log((await new Client({server.target!r}).status()).version);\n"
    )
    ran = subprocess.run(["node", tmp_path / "main.mjs"], capture_output=True, text=True, check=True, timeout=60)
    with Client(server.target) as client:
        assert ran.stdout.strip() == client.status().version
