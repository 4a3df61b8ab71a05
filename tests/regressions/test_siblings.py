"""What is told beside something of its sort leaves that as it is: tasks, facts, rules and decisions about others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core import Brain
from tests.building import active, fresh, say


def held(brain: Brain, *texts: str) -> list[MemoryItem]:
    """Return the active items after these turns, without entities and what is in doubt."""
    memory = fresh()
    for hour, text in enumerate(texts):
        brain.commit_turn(say(memory, "s", text, at=3600 * hour))
    return [one for one in active(brain, memory, "entities") if not one.HasField("doubted_at")]


def text_of(item: MemoryItem, field: str) -> str:
    return item.value.fields[field].string_value


TASKS = [
    ("todo: fix PROJ-1187", "todo: fix PROJ-1192"),
    ("TODO: pay invoice 2041", "TODO: pay invoice 2042"),
    ("todo: bump eslint in web", "todo: bump eslint in api", "todo: bump eslint in mobile"),
    ("todo: migrate orders to the new schema", "todo: migrate invoices to the new schema"),
    ("todo: deploy v1.2 to prod", "todo: deploy v1.3 to staging"),
    ("todo: fix the login", "todo: remove the old login page", "todo: drop the login table"),
    ("we need to fix ticket 5512 before release", "we need to fix ticket 5513 before release"),
    ("待办：发 v1.2 到预发", "待办：发 v1.3 到预发"),
    ("待办：删掉 moment", "待办：删掉 lodash"),
    ("待办：修登录", "待办：删掉旧的登录页"),
    ("待办：修登录", "提醒我明天删掉旧的登录页"),
    ("待办：办健身卡", "待办：取消健身卡"),
]


@pytest.mark.parametrize("texts", TASKS)
def test_a_task_that_is_told_ends_no_other(brain: Brain, texts: tuple[str, ...]) -> None:
    assert [one.type for one in held(brain, *texts)] == ["tasks"] * len(texts)


FORMS = (
    "task: fix bug {} in module k",
    "todo: PROJ-{} add the field to the export",
    "TODO: review PR {}",
    "todo: deploy v{}.0 to prod",
    "待办：修 bug {}",
    "待办：发 v{} 到预发",
    "待办：付掉发票 {}",
)


@settings(max_examples=25, deadline=None)
@given(form=st.sampled_from(FORMS), numbers=st.sets(st.integers(100, 9999), min_size=2, max_size=8))
def test_as_many_tasks_are_held_as_were_told_one_a_turn(brain: Brain, form: str, numbers: set[int]) -> None:
    assert len(held(brain, *(form.format(number) for number in sorted(numbers)))) == len(numbers)


@pytest.mark.parametrize(
    ("texts", "done"),
    [
        (("todo: pay invoice 2041", "todo: pay invoice 2042", "paid invoice 2041"), "2041"),
        (("待办：修 bug 1000", "待办：修 bug 1001", "bug 1000 修好了"), "1000"),
    ],
)
def test_what_is_done_is_the_task_of_that_number(brain: Brain, texts: tuple[str, ...], done: str) -> None:
    found = held(brain, *texts)
    finished = [text_of(one, "title") for one in found if text_of(one, "status") == "done"]
    assert len(found) == len(finished) + 1
    assert done in str(finished)


def test_paying_another_invoice_leaves_a_task_to_be_done(brain: Brain) -> None:
    [task] = held(brain, "todo: pay invoice 2041", "paid invoice 2042")
    assert text_of(task, "status") != "done"


@pytest.mark.parametrize(
    ("texts", "left"),
    [
        (("todo: call the plumber", "no need to call the plumber any more"), 0),
        (("待办：修登录", "删掉修登录这个任务"), 0),
        (("待办：修登录", "修登录不用了"), 0),
        (("待办：订去罗马的机票", "取消订去罗马的机票"), 0),
        (("todo: book flights to Rome", "todo: book flights to Lisbon instead of Rome"), 1),
    ],
)
def test_a_task_that_is_said_to_be_off_still_ends(brain: Brain, texts: tuple[str, ...], left: int) -> None:
    assert len([one for one in held(brain, *texts) if one.type == "tasks"]) == left


def test_a_task_to_change_something_changes_nothing_yet(brain: Brain) -> None:
    found = held(brain, "登录服务的端口是 8080", "待办：把登录服务的端口改成 8081")
    assert sorted(one.type for one in found) == ["knowledge", "tasks"]


def test_what_happened_stays_whatever_happens_next(brain: Brain) -> None:
    assert len(held(brain, "11月3日支付服务宕机了", "11月9日搜索服务宕机了")) == 2


APART = [
    ("knowledge", "web 仓库的主分支是 main", "api 仓库的主分支是 develop"),
    ("knowledge", "orders 服务的端口是 8080", "pay 服务的端口是 8081"),
    ("knowledge", "staging 环境的域名是 s.example.com", "prod 环境的域名是 p.example.com"),
    ("knowledge", "iOS 最低版本是 15", "Android 最低版本是 10"),
    ("knowledge", "Redis 的端口是 6379", "Postgres 的端口是 5432"),
    ("knowledge", "cart.ts 的负责人是小王", "auth.ts 的负责人是老李"),
    ("knowledge", "v1 接口的超时是 3 秒", "v2 接口的超时是 5 秒"),
    ("knowledge", "web 这个仓库用 pnpm", "api 那个仓库用 npm，pnpm 在 docker 里装不上"),
    ("knowledge", "remember: the flag new_cart is on in prod", "remember: the flag new_cart is off in staging"),
    ("knowledge", "default branch in web is main", "default branch in api is develop"),
    ("knowledge", "shop-web is on node 20", "shop-api is on node 18"),
    ("preferences", "变量名用英文", "接口返回一律用 camelCase"),
    ("preferences", "命名用小驼峰", "数据库字段用下划线"),
    ("preferences", "文档写中文", "日志写英文，不要中文"),
    ("preferences", "注释用中文", "commit message 用英文，别用中文"),
    ("preferences", "注释用中文", "提交信息写英文，不要写中文"),
    ("preferences", "注释用中文", "代码少写注释"),
    ("preferences", "answer me in Chinese", "code comments in English, no Chinese in code please"),
    ("preferences", "use 4 spaces for indentation", "in the frontend use 2 spaces"),
    ("preferences", "use British spelling in emails", "use American spelling in docs"),
    ("preferences", "no releases on Friday afternoons", "no releases on Mondays either"),
    ("decisions", "shop-web 决定用 Sentry 收错误", "shop-api 决定用 Datadog 收错误"),
    ("decisions", "订单服务决定用 Go 重写", "支付服务决定用 Rust 重写"),
    ("decisions", "We decided to use Postgres in prod", "We decided to use SQLite in dev"),
]


@pytest.mark.parametrize(("item_type", "one", "other"), APART)
def test_what_is_told_of_another_thing_stands_beside(brain: Brain, item_type: str, one: str, other: str) -> None:
    assert [item.type for item in held(brain, one, other)] == [item_type] * 2


def test_a_rule_for_one_part_of_the_code_leaves_the_one_for_all(brain: Brain) -> None:
    found = held(brain, "代码缩进用 4 个空格", "前端代码缩进 2 个空格")
    assert any("4 个空格" in item.text for item in found)


CHANGED = [
    ("web 仓库的主分支是 main", "web 仓库的主分支改成 master", "main"),
    ("Redis 的端口是 6379", "Redis 的端口现在是 6380", "6379"),
    ("注释用中文", "注释改用英文", "中文"),
    ("接口返回一律用 camelCase", "接口返回改用下划线", "camelCase"),
    ("日志用英文", "日志还是用中文吧", "英文"),
    ("代码缩进用 4 个空格", "代码缩进改成 2 个空格", "4 个"),
    ("commit message 用英文", "commit message 改成中文", "英文"),
    ("answer me in Chinese", "answer in English from now on", "Chinese"),
    ("in the frontend use 2 spaces", "in the frontend use tabs", "2 spaces"),
    ("use 4 spaces for indentation", "use tabs for indentation", "4 spaces"),
    ("shop-web is on node 18", "shop-web is on node 20 now", "18"),
    ("We decided to use Postgres in production", "We decided to use MySQL", "Postgres"),
    ("shop-web 决定用 Sentry 收错误", "shop-web 改用 Datadog 收错误", "Sentry"),
    ("周一上午开站会", "站会改到周二上午", "周一"),
]


@pytest.mark.parametrize(("one", "other", "old"), CHANGED)
def test_what_is_told_anew_of_the_same_thing_still_takes_its_place(
    brain: Brain, one: str, other: str, old: str
) -> None:
    [item] = held(brain, one, other)
    assert old not in item.text.partition("\n")[2]


@pytest.mark.parametrize(
    ("text", "item_type"),
    [
        ("周五下午不发版", "preferences"),
        ("每周五不上线", "preferences"),
        ("周一上午开站会", "knowledge"),
        ("no deploys on Fridays", "preferences"),
        ("standup is Mondays at 9", "knowledge"),
        ("我周五下午去看牙", "events"),
        ("下周一上午开站会", "events"),
        ("周一上午开会", "events"),
    ],
)
def test_what_holds_every_week_is_on_no_date(brain: Brain, text: str, item_type: str) -> None:
    assert [item.type for item in held(brain, text)] == [item_type]


SUBJECTS = ("web", "api", "orders", "pay", "iOS", "cart.ts", "v1", "v2", "shop-web", "shop-api", "Redis")


@settings(max_examples=25, deadline=None)
@given(
    form=st.sampled_from(
        ("{} 仓库的负责人是小王", "{} 服务的端口是 8080", "{} 接口的超时是 3 秒", "{} 的默认分支是 main")
    ),
    subjects=st.lists(st.sampled_from(SUBJECTS), min_size=2, max_size=6, unique=True),
)
def test_as_many_facts_are_held_as_things_were_told_of(brain: Brain, form: str, subjects: list[str]) -> None:
    assert len(held(brain, *map(form.format, subjects))) == len(subjects)


@pytest.mark.parametrize(
    ("rule", "later", "stays"),
    [
        ("use pnpm not npm", "ok we moved to bun, forget pnpm", False),
        ("use pnpm not npm", "we switched to bun last week, pnpm is out", False),
        ("use pnpm not npm", "npm is out", True),
        ("never push to main", "pushing to main is ok from today", False),
        ("never push to main", "pushing to staging is ok now", True),
    ],
)
def test_a_rule_ends_once_its_tool_is_out_or_what_it_forbids_is_allowed(
    brain: Brain, rule: str, later: str, *, stays: bool
) -> None:
    assert any(rule in item.text for item in held(brain, rule, later)) == stays


def test_what_is_to_be_changed_is_a_task_and_no_correction(brain: Brain) -> None:
    assert [item.type for item in held(brain, "待办：端口改成 8081", "待办：超时改成 5 秒")] == ["tasks"] * 2
