"""Public and famous: values fame and publishes early, in the hope of living to enjoy it.

As the alien it plays the part and reveals at once.
"""

from __future__ import annotations

params = {
    "fame": 2.2,
    "defence": 0.6,
    "margin": 0.6,
    "generosity": 0.4,
    "creativity": 1.1,
}
