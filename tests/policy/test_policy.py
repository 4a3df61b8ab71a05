"""The policy: defaults once, overrides on top, anything unknown refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import brain_core
from brain_core import load_policy
from brain_core.errors import PolicyError
from brain_core.kernels.features import NAMES


def test_defaults_load_and_are_those_of_the_file() -> None:
    shipped = yaml.safe_load((Path(brain_core.__file__).parent / "brain.yml").read_text("utf-8"))
    assert load_policy().model_dump() == shipped, "no default stands anywhere else"
    assert load_policy({}) == load_policy(None) == load_policy()


def test_an_override_changes_only_what_it_names() -> None:
    policy = load_policy({"policies": {"retrieval": {"per_mode_k": {"exact": 3}}}, "store": {"durability": "process"}})
    assert policy.policies.retrieval.per_mode_k.exact == 3
    assert policy.policies.retrieval.per_mode_k.semantic == load_policy().policies.retrieval.per_mode_k.semantic
    assert policy.store.durability == "process"


def test_a_file_is_read_as_a_dict_is(folder: Path) -> None:
    file = folder / "brain.yml"
    file.write_text("# 注释\npolicies:\n  composition: {token_limit: 1000}\n", "utf-8")
    assert load_policy(file) == load_policy({"policies": {"composition": {"token_limit": 1000}}})
    file.write_text("# nothing\n", "utf-8")
    assert load_policy(file) == load_policy()


@pytest.mark.parametrize(
    ("override", "field", "says"),
    [
        ({"polices": {}}, "polices", "unknown key"),
        ({"policies": {"retreival": {}}}, "policies.retreival", "unknown key"),
        ({"policies": {"retrieval": {"topk": 1}}}, "policies.retrieval.topk", "unknown key"),
        ({"policies": {"retrieval": {"top_k": 0}}}, "policies.retrieval.top_k", "greater than or equal to 1"),
        ({"policies": {"retrieval": {"top_k": "30"}}}, "policies.retrieval.top_k", "valid integer"),
        ({"policies": {"retrieval": {"top_k": 1.5}}}, "policies.retrieval.top_k", "valid integer"),
        ({"policies": {"retrieval": {"top_k": None}}}, "policies.retrieval.top_k", "valid integer"),
        ({"policies": {"ranking": {"bm25_b": 1.5}}}, "policies.ranking.bm25_b", "less than or equal to 1"),
        ({"policies": {"ranking": {"bm25_k1": float("nan")}}}, "policies.ranking.bm25_k1", ""),
        ({"policies": {"ranking": {"weights": {"lexical": -1.0}}}}, "policies.ranking.weights.lexical", "greater"),
        ({"policies": {"composition": {"diversity": {"memory_resource_ratio": "half"}}}},
         "policies.composition.diversity.memory_resource_ratio", "match pattern"),
        ({"policies": {"observability": {"trace": 0}}}, "policies.observability.trace", "true, false or a share"),
        ({"policies": {"observability": {"trace": 1.5}}}, "policies.observability.trace", "true, false or a share"),
        ({"policies": {"observability": {"trace": "on"}}}, "policies.observability.trace", "true, false or a share"),
        ({"policies": {"retrieval": 3}}, "policies.retrieval", "expected a section"),
        ({"store": {"durability": "never"}}, "store.durability", "'disk' or 'process'"),
        ({"timezone": "Shanghai"}, "timezone", "no time zone of the IANA database"),
        ({"timezone": ""}, "timezone", "no time zone of the IANA database"),
        ({"timezone": 8}, "timezone", "valid string"),
        ({"index": {"window_chars": 99}}, "index.window_chars", "greater than or equal to 100"),
        ({"resources": {"remote": [{"name": "wiki"}]}}, "resources.remote.0.target", "required"),
        ({"resources": {"remote": [{"name": "Wiki:1", "target": "a:1"}]}}, "resources.remote.0.name", "match pattern"),
        ({"resources": {"remote": [{"name": "w", "target": "nowhere"}]}}, "resources.remote.0.target", "match pattern"),
        ({"resources": {"remote": [{"name": "w", "target": "127.0.0.1:99999"}]}}, "resources.remote.0.target",
         "a port is 1 to 65535, got '127.0.0.1:99999'"),
        ({"resources": {"remote": [{"name": "w", "target": "[::1]:0"}]}}, "resources.remote.0.target", "1 to 65535"),
        ({"resources": {"remote": [{"name": "w", "target": "a:1", "timeout_ms": 0}]}},
         "resources.remote.0.timeout_ms", "greater than or equal to 1"),
        ({"resources": {"remote": [{"name": "w", "target": "a:1", "deadline_share": 1.1}]}},
         "resources.remote.0.deadline_share", "less than or equal to 1"),
        ({"resources": {"remote": [{"name": "w", "target": "a:1", "when": "never"}]}},
         "resources.remote.0.when", "'documents' or 'always'"),
        ({"resources": {"remote": [{"name": "w", "target": "a:1"}, {"name": "w", "target": "b:1"}]}},
         "resources.remote", "more than one is called w"),
        ({"limits": {"request_bytes": 600_000_000}}, "limits.request_bytes", "less than or equal to 536870911"),
        ({"limits": {"id_bytes": 0}}, "limits.id_bytes", "greater than or equal to 36"),
        ({"limits": {"id_bytes": 5000}}, "limits.id_bytes", "less than or equal to 4096"),
        ({"limits": {"candidate_k": 2**31}}, "limits.candidate_k", "less than or equal to 2147483647"),
        ({"policies": {"ranking": {"bm25_k1": float("inf")}}}, "policies.ranking.bm25_k1", "finite"),
        ({"server": {"grace_seconds": 1e300}}, "server.grace_seconds", "less than or equal to 86400"),
        ({"server": {"workers": 10**12}}, "server.workers", "less than or equal to 4096"),
        ({"limits": {"token_limit": 100}}, "policies.composition.token_limit", "8192 is above limits.token_limit, 100"),
        ({"limits": {"top_k": 29}}, "policies.retrieval.top_k", "30 is above limits.top_k, 29"),
        ({"limits": {"candidate_k": 199}}, "policies.retrieval.candidate_k", "200 is above limits.candidate_k, 199"),
        ({"limits": {"queries_per_plan": 7}}, "policies.retrieval.query_expansion.max_queries",
         "8 is above limits.queries_per_plan, 7"),
        ({"policies": {"retention": {"worth": {"doubt": 0.9}}}}, "policies.retention.worth.doubt",
         "0.9 is above policies.retention.worth.revise, 0.8"),
        ({"policies": {"retention": {"worth": {"look": 0.6}}}}, "policies.retention.worth.look",
         "0.6 is above policies.retention.worth.keep, 0.5"),
        ({"policies": {"retention": {"worth": {"guess": {"notes": 0.5}}}}}, "policies.retention.worth.guess.notes",
         "unknown key"),
        ({"policies": {"retention": {"worth": {"between_people": 1.5}}}}, "policies.retention.worth.between_people",
         "less than or equal to 1"),
        ({"policies": {"retention": {"entity_gate": {"freq_threshold": 21}}}},
         "policies.retention.entity_gate.freq_threshold", "entity_gate.window_turns, 20"),
        ({"store": None}, "store", "expected a section, got nothing"),
    ],
)  # fmt: skip
def test_unknown_keys_and_bad_values_are_named(override: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(PolicyError) as failed:
        load_policy(override)
    assert failed.value.field == field
    assert field in str(failed.value)
    assert says in str(failed.value)


def test_every_failure_is_named_at_once() -> None:
    with pytest.raises(PolicyError) as failed:
        load_policy({"store": {"durability": "never"}, "limits": {"top_k": 0, "x": 1}})
    for path in ("store.durability", "limits.top_k", "limits.x: unknown key"):
        assert path in str(failed.value)


@pytest.mark.parametrize(
    ("override", "meant"),
    [
        ({"polices": {}}, "did you mean policies?"),
        ({"policies": {"retrieval": {"topk": 1}}}, "did you mean top_k?"),
        ({"token_limit": 1000}, "did you mean policies.composition.token_limit or limits.token_limit?"),
        ({"resources": {"remote": [{"name": "w", "target": "a:1", "timeout": 3}]}}, "did you mean timeout_ms?"),
    ],
)
def test_an_unknown_key_is_told_what_may_be_meant(override: dict[str, Any], meant: str) -> None:
    with pytest.raises(PolicyError) as failed:
        load_policy(override)
    assert meant in str(failed.value)


def test_what_is_like_no_key_is_told_none() -> None:
    with pytest.raises(PolicyError, match=r"zzz: unknown key$"):
        load_policy({"zzz": 1})


def test_a_section_that_is_none_hides_no_other_fault() -> None:
    """Regression: it was told alone, and the others only at the next start."""
    with pytest.raises(PolicyError) as failed:
        load_policy({"policies": 3, "limits": {"x": 1}})
    assert "policies: expected a section, got 3" in str(failed.value)
    assert "limits.x: unknown key" in str(failed.value)


def test_a_fault_names_its_file_and_what_stands_there(folder: Path) -> None:
    """Regression: every file was called brain.yml, and a wrong type did not say what it was."""
    file = folder / "其他.yml"
    file.write_text("policies: {retrieval: {top_k: many}}", "utf-8")
    with pytest.raises(PolicyError) as failed:
        load_policy(file)
    assert str(failed.value).startswith(f"{file}: policies.retrieval.top_k: ")
    assert "valid integer, got 'many'" in str(failed.value)


def test_limits_that_just_hold_the_defaults_are_taken() -> None:
    limits = {"id_bytes": 36, "token_limit": 8192, "top_k": 30, "candidate_k": 200, "queries_per_plan": 8}
    assert load_policy({"limits": limits}).limits.id_bytes == 36
    assert load_policy({"policies": {"retention": {"worth": {"keep": 0}}}}).policies.retention.worth.keep == 0


@pytest.mark.parametrize(
    "content",
    [
        b"a: [",
        b"\xff\xfe",
        b"- a\n- b\n",
        b"just words",
        b"timezone: " + b"[" * 3000,
        b"timezone: " + b"{a: " * 3000 + b"}" * 3000,
        b"limits: {top_k: " + b"9" * 5000 + b"}",
    ],
)
def test_a_file_that_is_no_policy_is_refused_by_name(folder: Path, content: bytes) -> None:
    file = folder / "brain.yml"
    file.write_bytes(content)
    with pytest.raises(PolicyError, match=r"brain\.yml") as failed:
        load_policy(file)
    assert "\n" not in str(failed.value)
    with pytest.raises(PolicyError, match="cannot read"):
        load_policy(folder / "absent.yml")


@pytest.mark.parametrize("value", ["on", "off", "auto"])
def test_on_and_off_are_words(folder: Path, value: str) -> None:
    """Regression: YAML 1.1 reads them as true and false, and the documented values were refused."""
    file = folder / "brain.yml"
    text = f"policies: {{retrieval: {{enable_resource_retrieval: {value}, query_expansion: {{enabled: false}}}}}}"
    file.write_text(text)
    policy = load_policy(file)
    assert policy.policies.retrieval.enable_resource_retrieval == value
    assert policy.policies.retrieval.query_expansion.enabled is False


@pytest.mark.parametrize(
    ("written", "number"), [("0100", 100), ("0x64", 100), ("0o144", 100), ("+100", 100), ("1_00", 100)]
)
def test_whole_numbers_are_decimal_unless_they_say_otherwise(folder: Path, written: str, number: int) -> None:
    """Regression: 0100 was 64, by YAML 1.1."""
    file = folder / "brain.yml"
    file.write_text(f"limits: {{page_size: {written}}}")
    assert load_policy(file).limits.page_size == number


@pytest.mark.parametrize(("written", "number"), [("1e-1", 0.1), ("1.5E+0", 1.5), (".5", 0.5), ("2", 2.0)])
def test_numbers_may_have_an_exponent(folder: Path, written: str, number: float) -> None:
    """Regression: YAML 1.1 has no exponent without a point and a sign."""
    file = folder / "brain.yml"
    file.write_text(f"policies: {{ranking: {{bm25_k1: {written}}}}}")
    assert load_policy(file).policies.ranking.bm25_k1 == number


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("limits: {page_size: 1:30}", "limits.page_size: Input should be a valid integer, got '1:30'"),
        ("server: {grace_seconds: 1:30.5}", "server.grace_seconds: Input should be a valid number, got '1:30.5'"),
        ("timezone: 2024-01-01", "timezone: Value error, no time zone of the IANA database, got '2024-01-01'"),
        ("limits:\n  <<: {page_size: 5}", "limits.<<: unknown key"),
        ("2024-01-01: 5", "2024-01-01: unknown key"),
    ],
)
def test_what_is_no_number_is_a_word(folder: Path, text: str, says: str) -> None:
    """Regression: 1:30 was 90, by YAML 1.1, and a date was called datetime.date(2024, 1, 1)."""
    file = folder / "brain.yml"
    file.write_text(text)
    with pytest.raises(PolicyError) as failed:
        load_policy(file)
    assert says in str(failed.value)


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("policies:\n  composition: {token_limit: 512}\npolicies:\n  retention: {}\n", "policies", 3),
        ("server: {workers: 4, workers: 1}\n", "workers", 1),
    ],
)
def test_a_key_that_stands_twice_is_refused(folder: Path, text: str, key: str, line: int) -> None:
    """Regression: of two sections of one name the first was lost without a word."""
    file = folder / "brain.yml"
    file.write_text(text)
    with pytest.raises(PolicyError, match=f"'{key}' stands twice.*line {line}"):
        load_policy(file)


def test_a_policy_does_not_change() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_policy().store.durability = "process"


def test_every_feature_of_the_ranker_has_a_weight() -> None:
    assert tuple(load_policy().policies.ranking.weights.model_dump()) == NAMES
