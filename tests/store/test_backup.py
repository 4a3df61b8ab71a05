"""A backup is all of one moment, whole or not there; what is restored of it answers the same."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.backup_folder import MANIFEST, clear_unfinished
from smartbrain.backups import BackupError, read_manifest, restore
from smartbrain.v1.admin_service_pb2 import BackupRequest
from smartbrain.v1.brain_service_pb2 import ReplayRequest

from brain_core import Brain
from brain_core.errors import AlreadyExists, FailedPrecondition, InvalidArgument
from tests.building import compose, found, open_brain, say


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def brain(home: Path) -> Iterator[Brain]:
    """Give a brain with a memory that a test may read."""
    with open_brain(home / "data", store={"durability": "process", "backup_folders": [".."]}) as opened:
        for number in range(20):
            opened.commit_turn(say("m", f"s{number % 3}", f"Bridge {number} is blue.", f"第{number}座桥是蓝色的。"))
        yield opened


def _backed_up(brain: Brain, folder: Path) -> Path:
    *_, last = brain.back_up(BackupRequest(folder=str(folder)))
    assert last.manifest.memories
    assert last.done_bytes == last.total_bytes
    return folder


def test_what_is_restored_answers_the_same_though_writes_went_on(brain: Brain, home: Path) -> None:
    asked = compose(brain, "m", "s1", "which bridge is blue?")
    begun, over = threading.Event(), threading.Event()

    def write() -> None:
        for number in range(10_000):
            brain.commit_turn(say("busy", "s", f"Number {number}."))
            begun.set()
            if over.is_set():
                return

    writer = threading.Thread(target=write)
    writer.start()
    assert begun.wait(30)
    try:
        folder = _backed_up(brain, home / "busy")
    finally:
        over.set()
        writer.join()
    manifest = read_manifest(folder)
    assert restore(folder, home / "restored") == manifest
    revisions = {one.memory_id: one.revision for one in manifest.memories}
    assert revisions["busy"] > 0
    with open_brain(home / "restored") as again:
        assert {one.memory_id: one.revision for one in again.verify()} == revisions
        assert [problem for one in again.verify() for problem in one.problems] == []
        assert again.replay(ReplayRequest(memory_id="m", context_id=asked.context_id)).identical
        for text in ("blue bridge", "蓝色的桥"):
            assert found(again, "m", text) == found(brain, "m", text)


def test_files_that_never_change_are_linked_where_they_can_be(brain: Brain, home: Path) -> None:
    folder = _backed_up(brain, home / "linked")
    tables = list((folder / "store").glob("*.sst"))
    assert tables
    assert all(table.stat().st_nlink > 1 for table in tables)
    assert folder.stat().st_mode & 0o077 == 0, "it holds what somebody said"


def test_a_backup_goes_into_a_new_folder_and_leaves_nothing_where_it_fails(brain: Brain, home: Path) -> None:
    full = home / "full"
    full.mkdir()
    (full / "letter").write_text("mine", "utf-8")
    (home / "file").write_text("x", "utf-8")
    before = sorted(home.iterdir())
    for folder, failure in (
        (str(full), AlreadyExists),
        (str(home / "file"), AlreadyExists),
        (str(home / "file" / "below"), FailedPrecondition),
        ("relative/folder", InvalidArgument),
        ("", InvalidArgument),
    ):
        with pytest.raises(failure) as failed:
            list(brain.back_up(BackupRequest(folder=folder)))
        assert failed.value.field == "folder"
    left = brain.back_up(BackupRequest(folder=str(home / "left")))
    next(left)
    with pytest.raises(FailedPrecondition, match="under way"):
        next(brain.back_up(BackupRequest(folder=str(home / "other"))))
    left.close()  # type: ignore[attr-defined]  # a client that leaves
    assert sorted(home.iterdir()) == before
    assert not (home / "data/checkpoint").exists()


def test_a_client_has_backups_written_only_where_the_server_allows_it(folder: Path) -> None:
    allowed, elsewhere = folder / "brain-backups", folder / "elsewhere"
    for made in (allowed, elsewhere):
        made.mkdir()
    (allowed / "out").symlink_to(elsewhere)
    with open_brain(folder / "data") as brain:
        brain.commit_turn(say("m", "s", "The bridge is blue."))
        for refused in (
            elsewhere / "monday",
            allowed,
            allowed / "../elsewhere/monday",
            allowed / "out/monday",
            allowed / ".config/monday",
            folder / "brain-backups-of-ann",
            folder / "data/monday",
        ):
            with pytest.raises(InvalidArgument, match=r"store\.backup_folders") as failed:
                next(brain.back_up(BackupRequest(folder=str(refused))))
            assert (failed.value.field, str(allowed) in failed.value.limit) == ("folder", True)
        assert not list(elsewhere.iterdir())
        _backed_up(brain, allowed / "week 1/monday")


@pytest.mark.parametrize(
    ("folders", "named", "failure"),
    [
        ([".."], "data/store/monday", InvalidArgument),
        (["..", "."], "data/monday", InvalidArgument),
        ([], "brain-backups/monday", FailedPrecondition),
        (["elsewhere", "../a", "../b"], "b/monday", None),
    ],
)
def test_where_backups_may_be_written_is_set(
    folder: Path, folders: list[str], named: str, failure: type[Exception] | None
) -> None:
    with open_brain(folder / "data", store={"durability": "process", "backup_folders": folders}) as brain:
        brain.commit_turn(say("m", "s", "The bridge is blue."))
        if failure is None:
            _backed_up(brain, folder / named)
        else:
            with pytest.raises(failure):
                _backed_up(brain, folder / named)


def test_what_a_killed_backup_left_is_no_backup_and_in_nobodys_way(folder: Path) -> None:
    backups = folder / "brain-backups"
    with open_brain(folder / "data") as brain:
        brain.commit_turn(say("m", "s", "The bridge is blue."))
        steps = brain.back_up(BackupRequest(folder=str(backups / "backup")))
        next(steps)
        unfinished = folder / "copied"
        (half,) = backups.glob("backup.unfinished-*")
        restore_of = half.rename(unfinished)  # as it is when the process ends here
        steps.close()  # type: ignore[attr-defined]
    with pytest.raises(BackupError, match="no backup"):
        restore(restore_of, folder / "new")
    (folder / "data/checkpoint").mkdir()
    with open_brain(folder / "data") as brain:
        assert not (folder / "data/checkpoint").exists()
        _backed_up(brain, backups / "backup")


@pytest.fixture
def backups(folder: Path) -> Iterator[tuple[Brain, Path]]:
    """Give a brain of one turn, and the folder of its backups."""
    with open_brain(folder / "data") as brain:
        brain.commit_turn(say("m", "s", "The bridge is blue."))
        yield brain, folder / "brain-backups"


def _left_of(backup: Path, name: str) -> Path:
    """Make what a process that is killed amid a backup or a restore leaves."""
    left = backup.parent / name
    (left / "store").mkdir(parents=True)
    for file in (backup / "store").iterdir():
        (left / "store" / file.name).hardlink_to(file)
    return left


def test_what_a_killed_backup_left_is_removed_by_the_next(backups: tuple[Brain, Path]) -> None:
    brain, folder = backups
    whole = _backed_up(brain, folder / "monday")
    killed = _left_of(whole, "sunday.unfinished-ab_12345")
    mine = [_left_of(whole, name) for name in ("a.unfinished-photos", "a.unfinished-abcdefg1", "a.unfinished-abcdefg2")]
    (mine[1] / "letter").write_text("mine", "utf-8")
    (mine[2] / "store").rename(mine[2] / "shop")
    (folder / "link.unfinished-abcdefgh").symlink_to(whole)
    *_, last = brain.back_up(BackupRequest(folder=str(folder / "tuesday")))
    assert list(last.warnings) == [f"removed {killed}, which was left when a backup or a restore was killed"]
    assert not killed.exists()
    assert all(each.is_dir() for each in (whole, *mine, folder / "link.unfinished-abcdefgh", folder / "tuesday"))


def test_a_killed_process_lets_go_of_its_folder(folder: Path) -> None:
    filled = (
        "with unfinished(Path(sys.argv[1])) as work: (work / 'store').mkdir(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    imports = "import os, signal, sys; from pathlib import Path; from smartbrain.backup_folder import unfinished"
    killed = subprocess.run([sys.executable, "-c", f"{imports}\n{filled}", str(folder / "monday")], check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = folder.iterdir()
    assert clear_unfinished(folder) == [f"removed {left}, which was left when a backup or a restore was killed"]
    assert not list(folder.iterdir())


def test_what_is_still_being_written_is_left_alone(backups: tuple[Brain, Path]) -> None:
    brain, folder = backups
    whole = _backed_up(brain, folder / "monday")
    steps = brain.back_up(BackupRequest(folder=str(folder / "tuesday")))
    next(steps)
    said: list[str] = []
    restore(whole, folder / "again", told=said.append)
    assert said == []
    assert [one.manifest.files for one in steps][-1]
    assert (folder / "tuesday" / MANIFEST).is_file()


def test_what_a_killed_restore_left_is_removed_by_the_next(backups: tuple[Brain, Path]) -> None:
    brain, folder = backups
    whole = _backed_up(brain, folder / "monday")
    killed = _left_of(whole, "again.unfinished-ab_12345")
    said: list[str] = []
    restore(whole, folder / "again", told=said.append)
    assert said == [f"removed {killed}, which was left when a backup or a restore was killed"]
    assert not killed.exists()


def test_backups_may_stand_in_the_data_folder_where_that_is_a_volume(
    backups: tuple[Brain, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --data /data the folder beside it, /brain-backups, was not on the volume, and no other was allowed."""
    brain, folder = backups
    data = folder.parent / "data"
    monkeypatch.setattr(Path, "is_mount", lambda each: each == data.resolve())
    for place, warned in ((data / "brain-backups", False), (folder, True)):
        *_, last = brain.back_up(BackupRequest(folder=str(place / "monday")))
        assert bool(last.warnings) == warned
        assert restore(place / "monday", folder.parent / f"again {warned}")
    assert f"{data.resolve() / 'brain-backups/monday'} is on it" in last.warnings[0]
    for own in ("store", "index", "spool", "checkpoint"):
        with pytest.raises(InvalidArgument):
            next(brain.back_up(BackupRequest(folder=str(data / own / "monday"))))


def test_why_a_restore_failed_is_said_with_its_path_and_what_to_do(backups: tuple[Brain, Path]) -> None:
    brain, folder = backups
    whole = _backed_up(brain, folder / "monday")
    (folder / "file").write_text("x", "utf-8")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(BackupError, match=r"again.*File too large: \d+ bytes are needed: make room"):
            restore(whole, folder / "again")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with pytest.raises(BackupError, match=r"/file.*: Not a directory: nothing was restored; restore to another folder"):
        restore(whole, folder / "file" / "below" / "again")
    assert sorted(each.name for each in folder.iterdir()) == ["file", "monday"]


def test_a_damaged_backup_names_every_file_and_restores_nothing(brain: Brain, home: Path) -> None:
    folder = _backed_up(brain, home / "damaged")
    table = next((folder / "store").glob("*.sst"))
    content = bytearray(table.read_bytes())
    content[len(content) // 2] ^= 0xFF
    table.unlink()  # the store's own is linked to it
    table.write_bytes(content)
    (folder / "store/CURRENT").unlink()
    with pytest.raises(BackupError) as failed:
        restore(folder, home / "never")
    assert "store/CURRENT is missing" in str(failed.value)
    assert f"store/{table.name} has another checksum" in str(failed.value)
    assert not (home / "never").exists()
    assert not list(home.glob("never*"))


def test_a_restore_goes_where_a_link_leads_and_never_into_the_backup_or_the_current_folder(
    brain: Brain, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _backed_up(brain, home / "elsewhere")
    for name in ("mounted", "current"):
        (home / name).mkdir()
    (home / "link").symlink_to(home / "mounted")
    restore(folder, home / "link")
    assert (home / "mounted/store/CURRENT").is_file()
    monkeypatch.chdir(home / "current")
    for target, says in ((Path(), "current folder"), (folder / "data", "in the backup")):
        with pytest.raises(BackupError, match=says):
            restore(folder, target)
    table = next((folder / "store").glob("*.sst"))
    table.unlink()
    os.mkfifo(table)
    with pytest.raises(BackupError, match="is missing"):
        restore(folder, home / "piped")


def test_a_restore_goes_into_a_new_folder_and_stays_within_it(brain: Brain, home: Path) -> None:
    folder = _backed_up(brain, home / "whole")
    with pytest.raises(BackupError, match="not empty"):
        restore(folder, home / "data")
    manifest = (folder / MANIFEST).read_text("utf-8")
    for bad, says in (
        (manifest.replace("store/CURRENT", "../CURRENT"), "no file of it"),
        (manifest.replace('"version": 1', '"version": 9'), "version 9"),
        (manifest.replace('"store_format": 1', '"store_format": 99'), r"store_format: .*\(got 99, limit: 1\.\.1\)"),
        (manifest.replace('"store_format": 1,', ""), r"store_format: .*\(got 0, limit: 1\.\.1\)"),
        ("{", "cannot be read"),
        ('{"version": 1}', "names no files"),
    ):
        (folder / MANIFEST).write_text(bad, "utf-8")
        with pytest.raises(BackupError, match=says):
            restore(folder, home / "outside")
    assert not (home / "outside").exists()
