"""Certificates for tests of what is encrypted."""

from __future__ import annotations

from pathlib import Path

import trustme


def files(folder: Path, *names: str) -> tuple[Path, Path, Path]:
    """Make an authority and a certificate of it for some names; return the files (authority, certificate, key)."""
    authority = trustme.CA()
    issued = authority.issue_cert(*names)
    paths = folder / "ca.pem", folder / "certificate.pem", folder / "key.pem"
    authority.cert_pem.write_to_path(paths[0])
    issued.cert_chain_pems[0].write_to_path(paths[1])
    issued.private_key_pem.write_to_path(paths[2])
    return paths
