"""Rather sure than fast: gathers more than it needs, submits safely when it can, and guards against threats.

As the alien it waits until the humans look weak before it shows itself.
"""

from __future__ import annotations

params = {
    "push": 1.35,
    "risk": 1.6,
    "hurry": 0.05,
    "bail": 0.35,
    "security": 1.2,
    "analysis": 0.7,
    "margin": 1.3,
    "wait": 4,
    "weakness": 0.8,
}
