"""Only files below the allowed folders are found, and opening one follows no link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from brain_core.allowed import AllowedFile, AllowedFolders, opened
from brain_core.errors import UnreadableDocument


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give an allowed folder with a file, beside a secret one."""
    folder = tmp_path / "工作"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs/计划 1.md").write_text("plan", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return folder


def content(file: AllowedFile | None) -> str:
    assert file is not None
    with opened(file) as found:
        return found.read().decode()


def test_a_file_is_found_by_its_uri_its_path_and_its_path_below_the_folder(root: Path) -> None:
    folders = AllowedFolders([str(root)])
    path = root / "docs/计划 1.md"
    local = path.as_uri().replace("file://", "file://localhost")
    for name in (
        path.as_uri(),
        f"{path.as_uri()}#L3",
        local,
        str(path),
        "docs/计划 1.md",
        f"{root}/docs/../docs/计划 1.md",
    ):
        assert content(folders.find(name)) == "plan", name
    assert [found.uri for name in (f"{path.as_uri()}#L3", "docs/计划 1.md") if (found := folders.find(name))] == [
        path.as_uri()
    ] * 2


@pytest.mark.parametrize(
    "name",
    [
        "https://example.org/docs/a.md",
        "file://elsewhere/docs/a.md",
        "file:docs/a.md",
        "file://[/a.md",
        "s3://bucket/docs/a.md",
        "/etc/passwd",
        "file:///etc/passwd",
        "docs/no such file.md",
        "C:\\docs\\a.md",
        "a\0b",
    ],
)
def test_what_is_in_no_allowed_folder_is_none_of_ours(root: Path, name: str) -> None:
    assert AllowedFolders([str(root)]).find(name) is None


def test_a_folder_whose_name_only_begins_the_same_is_another(root: Path) -> None:
    other = root.with_name(root.name + "2")
    other.mkdir()
    (other / "a.md").write_text("no", "utf-8")
    assert AllowedFolders([str(root)]).find(str(other / "a.md")) is None


def test_dots_and_links_do_not_lead_out(root: Path) -> None:
    secret = root.parent / "secret.txt"
    (root / "link.txt").symlink_to(secret)
    (root / "up").symlink_to(root.parent)
    (root / "ring").symlink_to(root / "ring")
    folders = AllowedFolders([str(root)])
    encoded = f"{root.as_uri()}/%2e%2e/secret.txt"
    for name in (
        f"{root}/../secret.txt",
        encoded,
        str(root / "link.txt"),
        "link.txt",
        "../secret.txt",
        "up/secret.txt",
    ):
        with pytest.raises(UnreadableDocument, match="leads out"):
            folders.find(name)
    with pytest.raises(UnreadableDocument):
        content(folders.find(str(root / "ring")))


def test_a_link_inside_the_folder_and_a_linked_folder_are_fine(root: Path) -> None:
    (root / "same.md").symlink_to(root / "docs/计划 1.md")
    (root.parent / "linked").symlink_to(root)
    for folder in (root, root.parent / "linked"):
        folders = AllowedFolders([str(folder)])
        assert content(folders.find(str(root / "same.md"))) == "plan"
        assert content(folders.find(str(root.parent / "linked/same.md"))) == "plan"


@pytest.mark.parametrize("name", [".env", ".git/config", "docs/.hidden/a.md"])
def test_hidden_files_are_refused(root: Path, name: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text("key", "utf-8")
    (root / "shown").symlink_to(root / name)
    for written in (name, "shown"):
        with pytest.raises(UnreadableDocument, match="is hidden"):
            AllowedFolders([str(root)]).find(written)


def test_a_link_that_comes_after_the_file_was_found_is_not_followed(root: Path) -> None:
    found = AllowedFolders([str(root)]).find("docs/计划 1.md")
    assert found is not None
    (root / "docs").rename(root / "old")
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "计划 1.md").write_text("secret", "utf-8")
    (root / "docs").symlink_to(outside)
    with pytest.raises(UnreadableDocument):
        content(found)


def test_a_folder_that_comes_later_as_a_link_is_followed_then_and_no_link_after_it(folder: Path, root: Path) -> None:
    """Its links were followed while it was not there, so that every file in it led out of it."""
    later, other = folder / "later", folder / "others"
    other.mkdir()
    (other / "secret.md").write_text("secret")
    folders = AllowedFolders([str(later), str(folder / "never")])
    assert str(later) in folders.missing
    assert "never is no folder" in folders.missing
    later.symlink_to(root)
    assert folders.find("docs") == AllowedFile(root, Path("docs"), (root / "docs").as_uri())
    assert folders.find(str(later / "docs")) == folders.find("docs")
    assert str(later) not in folders.missing
    later.unlink()
    later.symlink_to(other)
    assert folders.find("secret.md") is None
    assert folders.find(str(later / "secret.md")) is None


def test_what_is_no_file_is_refused_and_blocks_nobody(root: Path) -> None:
    os.mkfifo(root / "pipe")
    folders = AllowedFolders([str(root)])
    for name in ("pipe", "docs", str(root)):
        with pytest.raises(UnreadableDocument, match="is no file"):
            content(folders.find(name))
