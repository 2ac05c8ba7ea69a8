"""An independent referee of E.T.I.: it replays a game's trace and judges every line of it.

It knows the rules page (`docs/rules/eti.md`), the trace format (`docs/trace.md`) and the card file
format (`docs/cards.md`), and imports nothing of the engine whose traces it judges.
"""

from .reader import RuleBroken, Verdict
from .referee import judge

__all__ = ["RuleBroken", "Verdict", "judge"]
