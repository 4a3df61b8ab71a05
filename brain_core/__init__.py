"""SmartBrain as a library: a memory runtime and context composer in a folder.

    with Brain.open("./brain") as brain:
        brain.commit_turn(CommitTurnRequest(...))
        brain.compose_context(ComposeContextRequest(...))

Requests and answers are the messages of smartbrain.v1. Nothing here opens a port, reads the environment or sets up
logging.
"""

from brain_core.brain import Brain
from brain_core.policy import Policy, load_policy

__all__ = ["Brain", "Policy", "load_policy"]
