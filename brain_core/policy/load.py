"""The whole policy, and how it is read: the shipped defaults with an override on top."""

from __future__ import annotations

from datetime import tzinfo
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError, field_validator

from brain_core.errors import PolicyError
from brain_core.policy.parts import (
    Documents,
    EmbedderPolicy,
    IndexPolicy,
    KindRow,
    Limits,
    LlmPolicy,
    PlannerPolicy,
    StorePolicy,
)
from brain_core.policy.section import Section
from brain_core.policy.serving import Resources, ServerPolicy
from brain_core.policy.stages import Policies
from brain_core.policy_faults import contradictions, of_validation, refusal
from brain_core.yaml_file import read_yaml
from brain_core.zones import zone_named


class Policy(Section):
    """Everything that can be set."""

    timezone: str
    policies: Policies
    resources: Resources
    kinds: list[KindRow]
    store: StorePolicy
    embedder: EmbedderPolicy
    llm: LlmPolicy
    planner: PlannerPolicy
    index: IndexPolicy
    documents: Documents
    limits: Limits
    server: ServerPolicy

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        zone_named(name)
        return name

    @property
    def zone(self) -> tzinfo:
        """The time zone of whoever names none."""
        return zone_named(self.timezone)


def load_policy(override: Path | dict[str, Any] | None = None) -> Policy:
    """Return the shipped defaults with an override on top, from a YAML file or a nested dict.

    Raises PolicyError naming each unknown key, bad value or pair of values that contradict each other, or the file that
    cannot be read.
    """
    merged = _merge(_defaults(), _read(override))
    source = str(override) if isinstance(override, Path) else "brain.yml"
    try:
        policy = Policy.model_validate(merged)
    except ValidationError as error:
        raise refusal(source, of_validation(error, Policy, _defaults())) from error
    faults = contradictions(policy)
    if faults:
        raise refusal(source, faults)
    return policy


@cache
def _defaults() -> dict[str, Any]:
    loaded: dict[str, Any] = read_yaml(files("brain_core").joinpath("brain.yml").read_text("utf-8"))
    return loaded


def _read(override: Path | dict[str, Any] | None) -> dict[str, Any]:
    if override is None or isinstance(override, dict):
        return override or {}
    try:
        loaded = read_yaml(override.read_text("utf-8"))
    except RecursionError as error:
        raise PolicyError(f"cannot read {override}: nested too deeply", field="config", value=override) from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise PolicyError(f"cannot read {override}: {reason}", field="config", value=override) from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise PolicyError(f"{override}: expected keys and values at the top", field="config", value=override)
    return loaded


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        below = base.get(key)
        merged[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
