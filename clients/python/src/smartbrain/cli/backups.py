"""Copies of all that a server holds: backup, restore."""

from pathlib import Path

import click

from smartbrain.backups import BackupError, read_manifest
from smartbrain.backups import restore as restored
from smartbrain.cli import text
from smartbrain.cli.connection import Connection, pass_connection
from smartbrain.v1.admin_service_pb2 import BackupManifest


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@pass_connection
def backup(connection: Connection, folder: Path) -> None:
    """Write all that the server holds to FOLDER, on its machine, while it goes on.

    New or empty, below the server's store.backup_folders: as it comes, brain-backups beside its data folder or in it.
    """
    with connection.client() as client, text.progress_if_slow("backing up") as progress:
        for step in client.backup(folder.absolute()):
            progress(step.done_bytes, step.total_bytes)
    _tell(f"backed up to {folder}", step.manifest)
    for warning in step.warnings:
        click.echo(text.printable(warning), err=True)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--data", required=True, type=click.Path(path_type=Path), help="Folder to make; new or empty.")
def restore(folder: Path, data: Path) -> None:
    """Make a data folder of the backup in FOLDER, for `brain-server --data`. Needs no server."""
    done = 0
    removed: list[str] = []
    try:
        total = sum(file.bytes for file in read_manifest(folder).files)
        with text.progress_if_slow("restoring") as progress:

            def copied(size: int) -> None:
                nonlocal done
                done += size
                progress(done, total)

            manifest = restored(folder, data, copied, removed.append)
    except BackupError as error:
        raise click.ClickException(str(error)) from error
    finally:
        for left in removed:
            click.echo(text.printable(left), err=True)
    _tell(f"restored to {data}", manifest)


def _tell(what: str, manifest: BackupManifest) -> None:
    size = sum(file.bytes for file in manifest.files) / 2**20
    told = f"{len(manifest.memories)} memories, {len(manifest.files)} files, {size:.1f} MiB"
    click.echo(text.printable(f"{what}: {told}, as of {text.time_text(manifest.created_at)}"))
