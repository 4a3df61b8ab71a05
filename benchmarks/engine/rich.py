"""A turn as agents commit them: six messages, a tool call, two refs. Made up by a fixed rule, English or Chinese.

Of the user's three messages one says something to remember, one tells of the day, one asks. What is to be remembered
is new in most turns and replaces something older in the others, as it does in a life.
"""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from smartbrain.v1.event_pb2 import Message, Ref, ToolCall, TurnEvents

MESSAGES = 6
CHUNKS = 9
"""Of a turn: its messages, the tool's result, the refs. Items come on top."""

_ROLES = ("user", "assistant")
_SECONDS_APART = 20

_PLACES = ("Lisbon", "Kyoto", "Bergen", "Oaxaca", "Tartu", "Ghent", "Hobart", "Leipzig", "Porto", "Galway", "Turin")
_THINGS = ("payment gateway", "search index", "billing report", "login page", "data importer", "mobile build", "cache")
_TOOLS = ("PostgreSQL", "Redis", "Kafka", "Terraform", "Grafana", "RocksDB", "FastAPI", "Playwright", "Ansible")
_FOODS = ("green tea", "black coffee", "oat milk", "sourdough", "lentil soup", "goat cheese", "rye bread", "plums")
_LEARNABLE = (
    "Please remember that the {thing} of customer {number} is frozen until the audit in {place} is over.",
    "We decided to use {tool} for the {thing} of release {number}.",
    "I prefer {food} over anything else when I work late.",
    "Remind me to send the {place} numbers for week {number} to the finance team.",
    "I moved to {place} last month and work from there now.",
    "From now on, always answer with a short summary first.",
)
_TOLD = "The {thing} in {place} was slow again this morning, so I spent {number} minutes on it before the first call."
_ASKED = "Could you check whether {tool} still drops connections while the {thing} is being rebuilt?"
_ANSWERS = (
    "Thanks, that helps. I looked at the {thing} logs of the last {number} hours: most of the time goes into waiting "
    "for {tool}, and only a small part into our own code, so I would start there.",
    "Understood. I will keep that in mind when we plan the next steps for the {thing}, and bring it up again before "
    "the meeting with the colleagues from {place}.",
    "I checked it: {tool} closes idle connections after {number} seconds, which is shorter than the rebuild takes. "
    "Raising the limit on one machine first would show whether that is the reason.",
)
_RESULT = (
    "{number} lines match in {thing}: {tool} timeout after {number} ms, retried twice, recovered; {place} unaffected."
)

_PLACES_ZH = ("杭州", "成都", "青岛", "西安", "厦门", "昆明", "苏州", "长沙", "大理", "南京", "桂林")
_THINGS_ZH = ("支付网关", "搜索索引", "账单报表", "登录页面", "数据导入", "移动端构建", "缓存")
_FOODS_ZH = ("龙井茶", "黑咖啡", "燕麦奶", "全麦面包", "扁豆汤", "豆腐", "米粉", "杨梅")
_LEARNABLE_ZH = (
    "请记住，客户{number}的{thing}在{place}的审计结束之前不能改动。",
    "我们决定版本{number}的{thing}用{tool}。",
    "我加班的时候更喜欢{food}。",
    "提醒我把{place}第{number}周的数据发给财务。",
    "我上个月搬到{place}了，现在在那边上班。",
    "以后都先给一个简短的总结再展开。",
)
_TOLD_ZH = "今天早上{place}的{thing}又变慢了，我在第一个会之前花了{number}分钟处理。"
_ASKED_ZH = "你能看看{tool}在重建{thing}的时候还会不会断开连接吗？"
_ANSWERS_ZH = (
    "谢谢，这很有用。我看了最近{number}小时{thing}的日志：大部分时间花在等待{tool}上，我们自己的代码只占一小部分，"
    "所以我建议先从那里入手。",
    "明白了。下一步规划{thing}的时候我会考虑这一点，在和{place}的同事开会之前再提醒你一次。",
    "我查过了：{tool}会在空闲{number}秒后关闭连接，比重建需要的时间短。可以先在一台机器上调高这个限制，看看是不是这个原因。",
)
_RESULT_ZH = "{thing}中有{number}行匹配：{tool}在{number}毫秒后超时，重试两次后恢复；{place}不受影响。"


def rich_turn(number: int, first_second: int) -> TurnEvents:
    """Make the turn of this number, always the same; Chinese when it is odd. first_second: Unix time it begins at."""
    chinese = number % 2 == 1
    learnable, told, asked = (_LEARNABLE_ZH, _TOLD_ZH, _ASKED_ZH) if chinese else (_LEARNABLE, _TOLD, _ASKED)
    answers, result = (_ANSWERS_ZH, _RESULT_ZH) if chinese else (_ANSWERS, _RESULT)
    words = _words(number, chinese)
    said = (told, learnable[number // 2 % len(learnable)], asked)
    lines = [line.format(**words) for pair in zip(said, answers, strict=True) for line in pair]
    turn = TurnEvents(
        messages=[
            Message(
                role=_ROLES[place % 2],
                content=line,
                created_at=Timestamp(seconds=first_second + _SECONDS_APART * place),
            )
            for place, line in enumerate(lines)
        ],
        tool_calls=[ToolCall(name="search_logs", result="\n".join([result.format(**words)] * 3), status="ok")],
        refs=[
            Ref(ref_type="file", uri=f"file:///work/notes/week-{number % 53}.md"),
            Ref(ref_type="url", uri=f"https://docs.example.org/{words['tool'].lower()}/timeouts"),
        ],
    )
    turn.tool_calls[0].args.update({"query": words["thing"], "limit": 20})
    return turn


def _words(number: int, chinese: bool) -> dict[str, str]:
    places, things, foods = (_PLACES_ZH, _THINGS_ZH, _FOODS_ZH) if chinese else (_PLACES, _THINGS, _FOODS)
    return {
        "number": str(number),
        "place": places[number // 2 % len(places)],
        "thing": things[number // 3 % len(things)],
        "tool": _TOOLS[number // 5 % len(_TOOLS)],
        "food": foods[number // 7 % len(foods)],
    }
