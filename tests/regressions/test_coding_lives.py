"""What users of coding agents tell of their project and how to work in it; beside it, what is asked for now alone.

In English and Chinese: conventions, exceptions to wishes, versions, times of jobs, who owns what.
"""

from __future__ import annotations

import pytest
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from tests.building import active, fresh, say

_DAY = 86_400
_AT = 1_790_000_000
_WISHES = ("preferences", "knowledge", "decisions")


def _held(brain: Brain, *texts: str) -> list[MemoryItem]:
    """Return what is active after these turns of one memory, each in a session of its own a day after the last."""
    memory = fresh()
    for number, text in enumerate(texts):
        brain.commit_turn(say(memory, f"s{number}", text, at=_AT + number * _DAY))
    return active(brain, memory)


def _told(brain: Brain, *texts: str) -> str:
    return "\n".join(item.text for item in _held(brain, *texts))


def _wishes(brain: Brain, text: str) -> list[str]:
    return [item.text for item in _held(brain, text) if item.type in _WISHES]


@pytest.mark.parametrize(
    "text",
    [
        "this repo uses pnpm, never npm",
        "our backend uses poetry, not pip",
        "the project is on pytest, no unittest",
        "we always use kebab-case, never snake_case",
        "use httpx, not requests",
        "Please use podman instead of docker",
        "All timestamps are UTC in this codebase",
        "IDs are UUIDs everywhere",
        "tests live next to the source file, not in a tests folder",
        "Integration tests go under tests/integration",
        "commit messages should be imperative, max 50 chars",
        "Secrets must never be committed",
        "PRs should be under 400 lines and link the ticket",
        "dates in the reports should be in Berlin time",
        "run ruff and mypy before you say you're done",
        "show me the diff before you write to disk",
        "check the plan before applying",
        "update the docs with every PR",
        "Write shell scripts with set -euo pipefail.",
        "name branches after the ticket",
        "Use dataclasses for models",
        "Use thiserror for library errors and anyhow in the binary.",
        "No default exports please.",
        "no console.logs in production code",
        "the changelog is kept in CHANGES.md, update it with every PR",
        "the orders table has a soft delete flag, is_deleted, so always filter on it",
        "always filter out soft-deleted rows in orders",
        "这个项目用 pnpm，不要用 npm",
        "用 pnpm，别用 npm",
        "后端用 poetry，不用 pip",
        "统一用 ruff，不要用 flake8",
        "没有我同意不要动 migrations 目录",
        "未经我确认，不要重启线上服务",
        "改完代码要跑 lint 和类型检查",
        "写脚本都加上 set -e",
        "提交前要跑一遍测试",
        "每次发版都要更新 changelog",
        "合并之前必须过 CI",
        "变更记录写在 CHANGES.md 里，每个 PR 都要更新",
        "部署用 ArgoCD，别手动 kubectl apply",
        "单测用 Vitest，端到端用 Playwright",
        "缓存用的是 Redis",
        "测试文件和源码放一起，不要单独建 tests 目录",
        "迁移脚本放在 db/migrations",
        "不要用 select *，临时查询除外",
        "禁止用 any，第三方库的类型例外",
        "除了测试，代码里不许出现 unwrap",
        "除了日志，代码里一律用英文",
        "回答简短一点，但讲设计的时候可以详细说",
        "回复要短一点，不过讨论架构时可以展开",
        "keep functions under 40 lines, except in tests",
        "Spark jobs should read from the silver layer, never from bronze",
        "write SQL with trailing commas",
        "没我点头不要扩容",
        "特征表都以 feat_ 开头",
        "表名统一用 t_ 做前缀",
        "除了单测，不要用 mock",
        "PR titles must start with the Jira key",
        "run the smoke tests after every deploy",
        "每个 PR 都要两个人看过",
    ],
)
def test_a_convention_is_kept_with_all_that_is_said_of_it(brain: Brain, text: str) -> None:
    assert text.rstrip(".").removesuffix(" please").removeprefix("Please ") in _told(brain, text)


@pytest.mark.parametrize(
    "text",
    [
        "use pnpm this time, not npm",
        "can you use pnpm, not npm?",
        "the tests should pass now",
        "tests should be green again soon",
        "PRs should be merged by Friday",
        "show me the diff before you commit that",
        "show me the output before you continue",
        "write tests for the login form",
        "use pandas for this",
        "no errors in the log",
        "no tests yet",
        "if this repo used pnpm, not npm, would CI be faster?",
        "the docs say commit messages should be imperative",
        "the style guide says all dates are stored in UTC",
        "at my old company branch names had to start with JIRA ids",
        "logs are in the way",
        "check the logs after the deploy finishes",
        "add a test for the parser before you refactor it",
        "this query should always filter on tenant",
        "the error is fine in tests",
        "这次先用 pnpm",
        "帮我用 pnpm 装一下",
        "能用 pnpm，不用 npm 吗？",
        "如果这个项目用 pnpm，不用 npm，会不会快？",
        "我同事的项目用 bun，不用 npm",
        "他们仓库用 yarn，不要用 npm",
        "这次用 yarn，别用 npm",
        "提交前要跑一下这个测试吗？",
        "改完这个要跑测试",
        "上线前先帮我看一下登录页",
        "测试用 pytest 跑一下",
        "缓存用 Redis 可以吗",
        "前端用 React 报错了",
        "部署用了三个小时",
        "配置放在哪里？",
        "文档里说不要用 select *",
        "除了测试，这次都改完了",
        "她写代码都要加注释",
        "以前的公司用 npm，不用 yarn",
        "未经我确认，他就重启了线上服务",
        "他们的规范写着“一律加分号”",
        "keep this function short",
        "keep it under 40 lines",
        "write SQL for this report",
        "the tests should cover the new parser",
        "logs should be rotated today",
        "这个文件名以 a 开头",
        "run the smoke tests before you deploy it",
    ],
)
def test_what_is_asked_of_the_thing_at_hand_is_no_convention(brain: Brain, text: str) -> None:
    assert _wishes(brain, text) == []


@pytest.mark.parametrize(
    ("wish", "exception"),
    [
        ("don't use select star, ever", "for one-off queries select star is fine"),
        ("never use print in our code", "print is fine in scripts"),
    ],
)
def test_an_exception_is_kept_with_the_wish_that_it_limits(brain: Brain, wish: str, exception: str) -> None:
    assert f"{wish}; {exception}" in _told(brain, wish, exception)


def test_what_must_not_be_given_has_no_exception(brain: Brain) -> None:
    assert "fine" not in _told(brain, "never give him peanuts", "peanuts are fine in small amounts").partition(";")[2]


def test_an_exception_is_kept_with_the_wish_that_it_limits_in_chinese(brain: Brain) -> None:
    assert "代码里不许用 print；脚本里可以用 print" in _told(brain, "代码里不许用 print", "脚本里可以用 print")


def test_to_what_a_manner_only_applies_takes_the_place_of_the_wish(brain: Brain) -> None:
    told = _told(
        brain, "keep answers short", "short answers only apply to code questions, for design talk take your time"
    )
    assert told.count("short") == 1
    assert "for design talk take your time" in told


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ("The release is v2.4.0", "we released v2.4.1 today because of the auth bug", "The release is v2.4.1"),
        ("The latest version is v3.1.0", "shipped v3.2.0 this morning", "The latest version is v3.2.0"),
        ("The current release is 2.0.1", "2.1.0 is out", "The current release is 2.1.0"),
        (
            "The nightly job runs at 2am UTC",
            "moved the nightly job to 3:30 UTC because of the backups",
            "The nightly job runs at 3:30 UTC",
        ),
        (
            "the nightly build runs at 23:00 CET",
            "shifted the nightly build to 1am because of the load",
            "the nightly build runs at 1am CET",
        ),
        ("Our ETL runs at 05:00 UTC", "the ETL now runs at 06:30 UTC", "Our ETL runs at 06:30 UTC"),
        ("线上版本是 1.8.2", "刚发布了 1.9.0", "线上版本是 1.9.0"),
        ("现在版本是 0.8.2。", "今天发了 0.9.0。", "现在版本是 0.9.0"),
        ("发布版本是 v2.4.0", "今天发布了 v2.4.1，修登录的 bug", "发布版本是 v2.4.1"),
        ("The latest version is 2.3.0", "2.4.0 is live", "The latest version is 2.4.0"),
    ],
)
def test_another_version_or_time_takes_the_place_of_the_known_one(
    brain: Brain, before: str, now: str, told: str
) -> None:
    held = _held(brain, before, now)
    assert [item.text.partition("Fact: ")[2] for item in held] == [told]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("The release is v2.4.0", "should we release v2.5.0 today?"),
        ("The release is v2.4.0", "they released v3.0.0 of React yesterday"),
        ("The release is v2.4.0", "if we released v2.5.0 today, what would break?"),
        ("Our Postgres is 15.2", "we released v16.0 today"),
        ("The release is v2.4.0", "we released v2.3.9 for the old customers"),
        ("The nightly job runs at 2am UTC", "should we move the nightly job to 3am?"),
        ("The nightly job runs at 2am UTC", "move the nightly job to 3am for tonight"),
        ("The nightly job runs at 2am UTC", "we moved the standup to 10am"),
        ("线上版本是 1.8.2", "要不要发布 1.9.0？"),
        ("线上版本是 1.8.2", "测试环境发了 1.9.0"),
        ("线上版本是 1.8.2", "他们发布了 2.0.0"),
        ("MySQL 版本是 8.0", "今天发了 9.1"),
        ("测试环境的数据库端口是 5433", "Redis 端口改成 6380 了"),
    ],
)
def test_a_version_or_time_of_something_else_leaves_the_known_one(brain: Brain, before: str, now: str) -> None:
    assert f"Fact: {before}" in _told(brain, before, now)


@pytest.mark.parametrize(
    ("before", "now", "gone", "role"),
    [
        (
            "Tom owns the payments module",
            "Priya owns the payments module now, Tom left",
            "Tom",
            "owns the payments module",
        ),
        ("Jo leads the mobile team", "Sam leads the mobile team now", "Jo", "leads the mobile team"),
        ("Dana Reed owns billing", "Dana Reed left, so Kofi owns billing now", "Dana", "owns billing"),
        (
            "Ana maintains the search service",
            "Viktor maintains the search service now",
            "Ana",
            "maintains the search service",
        ),
        ("小林负责前端", "小林离职了，前端现在归阿杰", "小林", "前端"),
        ("老周负责支付模块", "老周调走了，支付模块归小吴", "老周", "支付模块"),
        ("小陈维护搜索服务", "搜索服务现在是老李在维护", "小陈", "搜索服务"),
        ("网关由老赵维护", "网关现在归小李", "老赵", "网关"),
        ("数据质量小唐负责", "现在数据质量归小宋负责了", "小唐", "数据质量"),
    ],
)
def test_who_owns_a_part_now_takes_the_place_of_who_did(
    brain: Brain, before: str, now: str, gone: str, role: str
) -> None:
    told = _told(brain, before, now)
    assert f"role: {role}" in told
    assert gone not in told


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("Tom owns the payments module", "Priya owns the billing module now"),
        ("Tom owns the payments module", "Priya also owns the payments module"),
        ("Tom runs the team offsite", "Priya manages the team"),
        ("Tom owns the payments module", "maybe Priya owns the payments module now?"),
    ],
)
def test_an_owner_of_another_part_leaves_the_known_one(brain: Brain, before: str, now: str) -> None:
    assert "person: Tom" in _told(brain, before, now)


@pytest.mark.parametrize(
    ("text", "role", "employer"),
    [
        ("I do data eng at Finch", "data eng", "Finch"),
        ("I'm in data engineering at Finch", "data engineering", "Finch"),
        ("Hey, I'm Dana, I do data eng at Finch", "data eng", "Finch"),
        ("I do infra at Orrin, mostly Terraform and a bit of Go.", "infra", "Orrin"),
    ],
)
def test_the_field_that_one_does_and_where_are_read(brain: Brain, text: str, role: str, employer: str) -> None:
    told = _told(brain, text)
    assert f"role: {role}" in told
    assert f"employer: {employer}" in told


@pytest.mark.parametrize(
    "text",
    ["I'm in a meeting at Finch", "my sister does data eng at Finch", "if I do data eng at Finch, will I learn?"],
)
def test_where_one_is_or_another_works_is_no_employer(brain: Brain, text: str) -> None:
    assert "employer" not in _told(brain, text)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ("订单服务由王磊负责", "王磊离职了，订单服务现在由刘洋负责", "订单服务由刘洋负责"),
        ("组件库叫 Halo，由阿琳维护。", "阿琳调走了，现在 Halo 是阿杰在维护。", "组件库叫 Halo，由阿杰维护"),
        ("看板是小韩负责的。", "看板现在交给小陆了", "看板是小陆负责的"),
    ],
)
def test_what_is_told_of_a_part_goes_on_with_who_looks_after_it_now(
    brain: Brain, before: str, now: str, told: str
) -> None:
    assert [item.text.partition("Fact: ")[2] for item in _held(brain, before, now)] == [told]


@pytest.mark.parametrize(
    "now",
    ["订单模块现在归小吴", "如果老周走了，支付模块归谁？", "这周支付模块先归小吴", "老周休假了，支付模块暂时归小吴"],
)
def test_another_part_or_a_stand_in_leaves_who_looks_after_it(brain: Brain, now: str) -> None:
    assert "person: 老周" in _told(brain, "老周负责支付模块", now)


def test_a_length_is_of_what_the_clause_before_names(brain: Brain) -> None:
    told = _told(brain, "提交信息用英文写，不要超过 50 个字符。")
    assert "提交信息不要超过 50 个字符" in told
    assert "answer length" not in told


@pytest.mark.parametrize("text", ["不要直接改主分支，走 PR。", "我喜欢小一点的 PR，300 行以内。"])
def test_a_pull_request_is_no_residency(brain: Brain, text: str) -> None:
    assert "residency" not in _told(brain, text)


@pytest.mark.parametrize("text", ["晚饭由老妈负责", "这事由小组负责", "如果网关由老赵维护就好了", "网关由谁维护？"])
def test_who_is_no_colleague_looks_after_nothing(brain: Brain, text: str) -> None:
    assert "person" not in _told(brain, text)


def test_with_what_one_works_ends_nothing_of_who_one_is(brain: Brain) -> None:
    assert "role: 数据开发" in _told(brain, "我是数据开发，负责埋点。", "埋点用 Kafka，不走 HTTP")


def test_what_is_handed_over_is_no_part_of_a_role(brain: Brain) -> None:
    assert "刘洋" not in _told(brain, "我现在转去做支付了，订单服务交给了刘洋。")


def test_where_a_thing_runs_makes_no_person_of_it(brain: Brain) -> None:
    assert "person" not in _told(brain, "CI runs on Buildkite, the pipeline file is .buildkite/pipeline.yml")


def test_a_consent_that_ends_a_wish_is_kept(brain: Brain) -> None:
    assert "never apply without my ok" in _told(brain, "always run plan first and never apply without my ok.")
