"""`brain-server --reembed`: another embedder's vectors for the whole store, told as it goes on."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from tqdm import tqdm

from brain_core import Policy
from brain_core.errors import EmbedderUnavailable
from brain_core.reembed import Progress, reembed

_BAR_AFTER_SECONDS = 2
_INTERRUPTED = 130
"""Exit code of a command that SIGINT ended."""


def run_reembed(data: Path, policy: Policy) -> int:
    """Run to the end, or to Ctrl-C; return the exit code. A terminal sees a bar, anything else a line per memory."""
    last: Progress | None = None
    try:
        with (
            closing(reembed(data, policy)) as steps,
            tqdm(unit=" chunks", delay=_BAR_AFTER_SECONDS, disable=not sys.stderr.isatty()) as bar,
        ):
            for last in steps:
                bar.total = last.all_chunks
                bar.update(last.all_done - bar.n)
                if bar.disable and last.done == last.chunks:
                    print(f"[{last.number}/{last.memories}] {last.memory_id}: {last.chunks} chunks", flush=True)
    except KeyboardInterrupt:
        print("brain-server: interrupted; run it again to go on from here", file=sys.stderr)
        return _INTERRUPTED
    except EmbedderUnavailable as error:
        error.hint += "; what is done is kept: run it again to go on"
        raise
    done = f"{last.all_chunks} chunks of {last.memories} memories re-embedded" if last else "nothing to re-embed"
    print(f"brain-server: {done}", file=sys.stderr)
    return 0
