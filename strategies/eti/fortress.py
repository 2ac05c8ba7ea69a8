"""Top secret and defence: whoever survives can win. Values defence, immunities and the top-secret vault.

As the alien it collects tactics, and reveals once some human's defence lags.
"""

from __future__ import annotations

params = {
    "defence": 2.0,
    "fame": 0.3,
    "margin": 2.5,
    "security": 1.3,
    "weakness": 1.0,
    "wait": 5,
}
