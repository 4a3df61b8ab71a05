"""The `brain` command as a process of its own."""

import os
import subprocess
import sys


class Brain:
    """Runs `brain` with the server's address set."""

    def __init__(self, target: str) -> None:
        self.environment = {**os.environ, "SMARTBRAIN_SERVER": target, "PYTHONIOENCODING": "utf-8"}

    def run(self, *arguments: str, said: bytes = b"") -> subprocess.CompletedProcess[str]:
        ended = subprocess.run(
            [sys.executable, "-m", "smartbrain.cli", *arguments],
            input=said,
            capture_output=True,
            env=self.environment,
            timeout=240,
            check=False,
        )
        out, err = ended.stdout.decode(), ended.stderr.decode()
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(ended.args, ended.returncode, out, err)

    def __call__(self, *arguments: str, said: bytes = b"") -> str:
        ended = self.run(*arguments, said=said)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout
