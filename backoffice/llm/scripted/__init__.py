"""A deterministic stand-in for a chat-completions provider, so that everything runs with no key and no network.

One core (`model`) has two doors: `transport`, in process below the real SDK, and `server`, on a port for any client.
It imports nothing of the streaming core that it helps to test.
"""

from backoffice.llm.scripted.faults import parse_faults
from backoffice.llm.scripted.model import Options, ScriptedModel
from backoffice.llm.scripted.transport import ScriptedTransport

__all__ = ["Options", "ScriptedModel", "ScriptedTransport", "parse_faults"]
