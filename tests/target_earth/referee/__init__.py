"""An independent referee of Target Earth: it replays a game's trace and judges every line of it.

It knows the rules page (`docs/rules/target_earth.md`) and the trace, and imports nothing of the engine whose
traces it judges: rule options and card data come with the trace.
"""

from .reader import RuleBroken, Verdict
from .referee import judge

__all__ = ["RuleBroken", "Verdict", "judge"]
