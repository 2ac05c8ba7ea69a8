"""The numbers that steer the core: what each means, and where it stands among a seat's parameters."""

from __future__ import annotations

from sim.games.target_earth.strategy import Param

CORE_PARAMS = (
    Param("labs", 3.6, "worth of laboratories"),
    Param(
        "early_labs",
        0.83,
        "laboratories wanted in turn 1; up to two more than the last level needs in the end",
    ),
    Param("radars", 6.8, "worth of radars"),
    Param("sight", 1.3, "share of the slots that the radars should reach"),
    Param("air", 6.9, "worth of fighters and hangars"),
    Param("fighters", 2.0, "fighters a base wants in turn 1"),
    Param("more_fighters", 0.46, "... and more each turn"),
    Param("ground", 6.8, "worth of carriers, infantry and tanks, and of modules for them"),
    Param("carriers", 1.0, "carriers a base wants in turn 1"),
    Param("more_carriers", 0.08, "... and more each turn"),
    Param("guard", 1.2, "infantry beyond what the carriers take"),
    Param("roles", 0.38, "how far bases share the work at set-up, one in the air, the next on the ground"),
    Param("science", 10.0, "wish for alien science"),
    Param("fighter_tech", 8.8, "wish for fighter levels"),
    Param("troop_tech", 2.1, "wish for infantry levels"),
    Param("tank_tech", 5.7, "wish for tank levels"),
    Param("level_cost", 1.7, "by how much that wish falls with each level"),
    Param("reserve", 1.0, "share of the knowledge that alien science needs, which unit levels leave to it"),
    Param("income", 0.25, "worth of a country's credit in each turn to come, in points"),
    Param("raids", 2.4, "worth of an alien base destroyed, beside the country's points"),
    Param("module", 1.3, "worth of a module of an attacked base, in points"),
    Param("knowledge", 1.1, "worth of a knowledge, in points"),
    Param("unit", 0.58, "worth of a fighter, infantry or tank, in points"),
    Param("sure", 0.75, "chance with which a fight is provided for"),
    Param("least", 0.29, "no fight with less chance than this"),
    Param("bonus_need", 0.098, "plays a bonus card for so much more chance"),
    Param("personal", 1.0, "advanced: worth of a personal point, in points of the Alliance"),
)
(LABS, EARLY_LABS, RADARS, SIGHT, AIR, FIGHTERS_1, MORE_FIGHTERS, GROUND, CARRIERS_1, MORE_CARRIERS, GUARD, ROLES,
 W_SCIENCE, W_FIGHTERS, W_TROOPS, W_TANKS, LEVEL_COST, RESERVE, INCOME, RAIDS, MODULE, KNOWLEDGE_WORTH, UNIT, SURE,
 LEAST, BONUS_NEED, PERSONAL) = range(27)  # fmt: skip
