"""Tasks told in Chinese, and what becomes of them: started, done, blocked, put off, dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.clauses import rest_of_sentence, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.script import fold
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.known import denial, find, value_of
from brain_core.extract.language import Found, Rule, Scene

_LEADING = re.compile(
    r"^\s*(?:(?:那|对了|另外|还有|所以|不过|我们?|咱们?|俺|还|也|就|得|要|需要|必须|务必|应该|该|记得|别忘了?|打算|"
    r"准备|帮我?|请|先|把|去|在|于|之前|以前|前|内|之内|:|,|，|、| |"
    r"提醒我?|一下|加个?|新增|添加|待办|任务|todo)\s*)++", re.IGNORECASE,
)  # fmt: skip
_VAGUE = re.compile(
    r"放松|休息|努力|注意|加油|学会|适应|考虑|面对|调整|改变|相信|坚持|尝试|建议|帮助|帮忙|推荐|时间|勇气|耐心|信心|"
    r"思考|晚餐|午餐|早餐|做饭|下次|再聊|休息|多(?:做|看|练|吃|喝|睡|运动)|好好|慢慢|"
    r"知道|了解|明白|承认|说|谢|想|睡觉|吃饭|看看|珍惜|减肥|冷静"
)
_ACTION = (
    r"(?:写|交|发|寄|买|订|修|改|打电话|打给|联系|办|退|取|提交|完成|搞定|整理|准备|更新|部署|测试|迁|合并|预约|约|"
    r"缴|还(?=[钱书款信])|填|报(?!到)|签|续|换|搬|洗|清理?|通知|回复?|审|"
    r"安装|装|配置|升级|备份|做完|写完|补|核对|对接|上传|下载|打印|收拾|打扫|浇|喂|接(?=[^受触近])|送|拿|挂号|体检|"
    r"复查|复习|背|排查|调试|重构|评审|汇报|开通|注册|申请|续费|充值|转账|卖|扔|赶|报名|领|捐|剪|回(?=.{0,6}(?:邮件|"
    r"信|电话|消息))|问|开(?=.{0,4}(?:证明|发票))|借|配|理发|学完|看完|读完|算|付|结清|跟进|催|找.{1,8}(?:签|确认|要|"
    r"拿|谈)|"
    r"检查|带(?=.{1,8}[去打看])|打(?=[疫针印])|做(?=.{2})|跑一?[遍次]|上线|发布|录|剪|翻译|画|设计|拆|拍|刷|查|列)"
)


def _title(scene: Scene, start: int, stop: int) -> str:
    folded = scene.clause.text[start:stop]
    lead = _LEADING.match(folded)
    return written(scene, start + (lead.end() if lead else 0), stop)


def _task(title: str, folded: str, due: str, span: tuple[int, int] | None = None) -> Found:
    given = {
        "task_id": content_slug(re.sub(r"^.*?(?:之前|以前|(?<=[日号天一二三四五六底末])前)", "", folded) or folded),
        "title": title,
        "status": "todo",
    }
    return Found({**given, "due": due} if due else given, span=span)


def _deadline(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    folded = scene.clause.text
    day = first_day(folded, scene.said)
    if day is None or re.search(
        r"^\s*截止|[他她]们?(?:得|要|必须)|(?:他|她|老师|学校|公司)规定|生日|结婚|睡前|饭前", folded
    ):
        return
    if not re.search(_ACTION, folded) and not re.search(r"到期|截止|ddl|deadline|due|搞", folded, re.IGNORECASE):
        return
    after = re.match(r"\s*(?:下?班|中午|晚上|上午|下午|早上)?(?:结束)?(?:之前|以前|前|内|之内)?", folded[day.stop :])
    rest = day.stop + (after.end() if after else 0)
    head = re.sub(r"(?:我们?|咱们?|得|要|需要|必须|在|于|还|务必|一定|赶|争取|记得|,|，|\s)+$", "", folded[: day.start])
    start = 0 if len(re.sub(_LEADING, "", head)) >= 2 else rest
    title = _title(scene, start, len(folded))
    due = day.day.isoformat() if day.exact else ""
    if len(title) >= 2:
        yield _task(title, _LEADING.sub("", folded[: day.start]) + folded[rest:], due)


_DEADLINE = Rule(
    "task_deadline", "tasks", "前 截 到 d D 内 交 要 得 必",
    re.compile(r"(?:[天日号末底一二三四五六0-9初午班年月节周晚早上点会]|春节|国庆)(?:之前|以前|前(?![面端台天辈途]))|"
        r"截止|到期|ddl|deadline|(?:[天日号周底末一二三四五六]|天之|周)内|[日号天一二三四五六末](?:要|得|必须)?交|"
        r"^[^,，我你他她]{2,16}?(?:这|本|下)?(?:周|星期|月)[一二三四五六日天内底]?(?:之?内|前)?(?:就|一定|都)?(?:要|"
        r"得|必须)", re.IGNORECASE),
    _deadline,
)  # fmt: skip


def _listed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    what = match["what"].strip() or scene.clause.sentence.partition(folded)[2]
    if len(what) < 2 or re.match(r"(?:列表|清单|是什么|有哪些|怎么)", what):
        return
    lead = _LEADING.match(what)
    day = first_day(scene.clause.sentence, scene.said)
    start = match.start("what") + (lead.end() if lead else 0)
    title, span = rest_of_sentence(scene, start)
    if len(title) >= 2:
        yield _task(title, fold(title), day.day.isoformat() if day and day.exact else "", span)


def _put_on_list(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    title = written(scene, match.start("what"), match.end("what"))
    yield _task(title, match["what"], "")


_ON_LIST = Rule(
    "task_on_list", "tasks", "加 放 记 写 列",
    re.compile(r"把(?P<what>[^,，]{2,24}?)(?:加|放|记|写|列)(?:到|进|在|入|上)?(?:我的?)?(?:清单|待办|日程|任务|列表|"
        r"to-?do)", re.IGNORECASE), _put_on_list, insists=True,
)  # fmt: skip

_LISTED = Rule(
    "task_listed", "tasks", "条 项 待 任 T 单 醒 t 日 办 程 事",
    re.compile(r"(?:^\s*(?:to-?do|待办(?:事项)?|任务|要[做办]的(?:事情?|有)?)\s*[:：]|(?:帮我|再)?(?:加|记|添|"
        r"补)(?:上)?(?:一?条|一?个|"
        r"一?项)\s*[:：,，]|(?:加|记|添加|新增|建|列|放|写)(?:一?个|一?条|到|进|入|上|在|我的|项)*\s*(?:待办|任务|"
        r"todo|to-do|清单|日程|提醒|备忘)(?:事项|列表|清单|里|上|中|吧|一下)*\s*[:：,，]?|"
               r"(?<!谢谢)(?:提醒|叫)(?:一下)?我(?!们)(?=.{0,12}(?:去|要|把|给|交|买|打|吃药|开会|带|取|还|写|发|缴|"
               r"复|准备|[0-9一二三四五六七八九十]点|号|周|明天|后天))|还[有差剩](?:个|一个|件|一件|项|一项)?(?:待办|"
               r"任务|事儿?|活儿?)(?:没做|要办|要做)?\s*[:：,，是])\s*(?P<what>.*)", re.IGNORECASE),
    _listed, insists=True,
)  # fmt: skip


def _to_do(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    if re.search(r"现在我?们?(?:要|得)|我先|要走了|先这样", folded):
        return
    place = match.start("what") if match["what"] is not None else match.start()
    what = folded[place:]
    if _VAGUE.search(what) or re.match(r"(?:[你您他她]|我(?!们|得|要|还))", what):
        return
    day = first_day(folded, scene.said)
    lead = _LEADING.match(what)
    start = place + (lead.end() if lead else 0)
    title = written(scene, start, len(folded))
    if len(title) >= 3:
        yield _task(title, folded[start:], day.day.isoformat() if day and day.exact else "")


_DATE = (
    r"(?:今天|明天|后天|大后天|今晚|明早|明晚|这?周末|(?:这|下|本)?个?(?:周|星期|礼拜)[一二三四五六日天]|"
    r"[0-9]{1,2} ?月 ?[0-9]{1,2} ?[号日]?|[0-9]{1,2} ?号|月底|月初|等?下班后?|下个?月|这周|下周|本周|这两天|过两天|"
    r"今明两天|[\u4e00-\u9fff]{1,4}前|回头|改天|等下|待会儿?|一会儿?|尽快|抽空|有空)"
)


def _to_do_any(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if match["what"] is None or _is_mine(scene.clause.text[: match.start("what")]):
        yield from _to_do(match, scene)


_TO_DO = Rule(
    "task_to_do", "tasks", "得 要 需 必 该 记 须 务 打 准 去 把 给",
    re.compile(rf"(?:^|我们?|咱们?|对了|,|，)\s*(?:还|也|就|{_DATE}(?:上午|下午|晚上|早上|中午)?|还是)*(?:得|需要|"
        rf"必须|务必要?|该|要|记得|打算|准备)(?P<what>(?:去|把|给|跟|找|先|再|重新|尽快|抽空|帮|在|到|和|赶紧|"
        rf".{{0,6}})?.{{0,14}}?{_ACTION}.*)|"
               rf"(?:我(?:们)?)(?P<w2>){_DATE}(?:把|给|去){_ACTION}|(?P<w3>)^\s*(?:我|我们)?{_DATE}(?:先|再|"
               rf"还)?(?:去|把|给).{{0,12}}?{_ACTION}"),
    _to_do_any,
)  # fmt: skip


def _is_mine(head: str) -> bool:
    """Return whether what stands before a verb says who and when well enough: 我还得…, 周末要…, but not 要…."""
    return bool(re.search(rf"{_DATE}|还(?:得|要|需要)|我们?(?:得|必须|需要|该|要)", head))


def _known_task(scene: Scene, words: str) -> tuple[dict[str, object], dict[str, object]] | None:
    """Return (value, key parts) of the open task that the words name; bare words name the only open one."""
    stripped = re.sub(_STATUS_WORDS, "", words).strip(" ,，。了的都已经刚我们啊吧哈把也就")
    item = find(scene.known, "tasks", stripped, 0.4) if len(stripped) >= 2 else None
    if item is not None:
        value = value_of(item)
        return value, denial(item)
    if len(stripped) < 2:
        held = [value_of(each) for each in scene.known.active("tasks")]
        still = [value for value in held if value.get("status") != "done"]
        if len(still) == 1:
            return still[0], {part: still[0][part] for part in ("project", "task_id") if part in still[0]}
    return None


_STATUS_WORDS = re.compile(
    r"推迟到.*|延期?到.*|拖到.*|(?:写|做|改|弄|处理|办|买|修|测|整理|装|画|跑|洗|准备|交接|迁移|部署)(?:完|好)了?|"
    r"搞定了?|完成了?|弄好了?|(?:交|发|寄|提交|合并|合|上线|发布|递)(?:出去|上去|进去|掉)?了|解决了?|结束了?|"
    r"通过了?|收工|完事儿?|done|ok了?|结清了?|还清了?|已经?|终于|总算|刚刚?|今天|昨天|全部?|"
    r"正在|开始|着手|动手|在(?=写|做|改|弄|处理|跑)|写着|做着|进行中|一半|卡在|卡住了?|卡着|阻塞|被|挡住了?|"
    r"不用(?:做|管|弄|写|买|去)?|取消了?|不做了|作废了?|算了|黄了|不需要了?|推迟到|延期到|延到|改到|提前到|挪到|推到|"
    r"[到至].*|先?放(?:一)?放|先放着|的事情?|等.*",
    re.IGNORECASE,
)
_MOVES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("dropped", re.compile(r"不用(?:做|管|弄|写|买|去|交|办|改|修|了)|取消|不做了|作废|算了$|黄了|不需要了|不搞了|"
        r"不弄了|撤了")),
    ("blocked", re.compile(r"卡在|卡住|卡着|卡了|阻塞|block|先?放(?:一)?放|先放着|等配件|被.{1,12}(?:挡|拦|耽误|"
        r"拖住)|(?:在|还|得|要)?等.{1,16}(?:审批|批|回复|反馈|确认|到货|签字|才能|答复|通知|权限|盖章|结果)|"
        r"没法(?:继续|推进|往下)|推进不(?:了|下去)|动不了|搁置|停摆")),
    ("moved", re.compile(r"(?:推迟|延期|延后|延|拖|改|提前|挪|推|顺延|宽限)(?:到|至|成)")),
    ("done", re.compile(r"(?:写|做|改|弄|处理|办|买|修|测|整理|装|画|跑|洗|订|交|缴|填|签|背|看|搬|准备|迁移?|部署|"
        r"重构|收拾|打扫)(?:完|好|过)了?(?!再|之前|才|吗|没)|搞定(?!吗|之前|不)|(?<!没)(?<!未)完成了|已完成|弄好|"
        r"(?:交|发|寄|提交|合并|合|上线|发布|递|续|退|还|取|订|约|买|付|缴|打)(?:出去|上去|进去|掉|上|到|回来|完)?了|"
        r"(?:修|解)(?:复|决)了|解决了|结束了|过了$|收工|完事|\bdone\b|结清|还清|关掉了|[\u4e00-\u9fff](?:完|好|掉|"
        r"上)(?:钱|手续)?了|(?:回|报|领|卖|扔|办|跑|约|取|送|接|打|洗|考|买|修|换|缴|交|发|寄|写|做|看|读|背|改|弄|"
        r"订|填|签|搬|理|问)了$|已经.{1,8}了$", re.IGNORECASE)),
    ("doing", re.compile(r"正在|(?:已经|都)?开始(?:做|写|弄|改|处理|整理|动手|准备|着手|学|跑)|着手|动手|(?:已经|"
        r"我)?在(?:写|做|改|弄|处理|跑|修|整理|排查|准备)了?|做了一半|写了一半|弄到一半|进行中|写着呢|做着呢|手头在")),
)  # fmt: skip


def _transition(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    move = next((name for name, pattern in _MOVES if pattern.search(folded)), "")
    if not move or re.search(r"(?:还)?没(?:有)?(?:做|写|弄|改|处理|办|完|搞)|未完成|之前(?:要|得)", folded):
        return
    held = _known_task(scene, folded)
    if held is None:
        return
    value, parts = held
    if move == "done" and re.search(r"开始|着手|动手", folded):
        move = "doing"
    if move == "dropped":
        yield Found(dict(parts), denies=True)
    elif move == "moved":
        day = first_day(folded[match.start() :], scene.said)
        if day is not None and day.exact:
            yield Found(
                {
                    **parts,
                    "title": value.get("title", ""),
                    "status": value.get("status", "todo"),
                    "due": day.day.isoformat(),
                }
            )
    elif value.get("status") != move:
        given = {**parts, "title": value.get("title", ""), "status": move}
        notes = [written(scene, 0, len(folded))] if move == "blocked" else []
        yield Found(
            {**given, **({"due": value["due"]} if value.get("due") else {}), **({"notes": notes} if notes else {})}
        )


_TRANSITION = Rule(
    "task_transition", "tasks", "完 好 定 了 放 拖 掉 正 始 手 卡 阻 被 等 法 搁 停 推 延 改 提 挪 取 消 作 算 黄 不 "
        "在 半 决 d D b B",
    re.compile("|".join(pattern.pattern for _, pattern in _MOVES), re.IGNORECASE), _transition,
)  # fmt: skip


def _mine(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    day = first_day(scene.clause.sentence, scene.said)
    due = day.day.isoformat() if day is not None and day.exact else ""
    yield _task(written(scene, match.start("what"), match.end("what")), match["what"], due)


_MINE = Rule(
    "task_mine", "tasks", "归 我",
    re.compile(r"(?P<what>[^,，我你他她]{3,24}?)(?:这[块事]|那[块事]|这边|都|就)?(?:归我(?:管|了)?|我来(?:负责|跟|写|"
        r"搞定|弄|处理)|交给我了?|由我来?(?:负责|做|写|跟))(?:[,，。]|$)"),
    _mine,
)  # fmt: skip


def _waiting(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    day = first_day(scene.clause.sentence, scene.said)
    due = day.day.isoformat() if day is not None and day.exact else ""
    yield _task(written(scene, match.start(), match.end()), match[0], due)


def _blocked(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    if re.search(r"^\s*(?:我|网|电脑|手机|页面|视频|程序|浏览器|路上|堵)", folded) and not re.search(
        r"卡在.{2,}(?:审批|环节|这步|上)", folded
    ):
        return
    title, span = rest_of_sentence(scene, 0)
    given = {"task_id": content_slug(folded[: match.start()] or folded), "title": title, "status": "blocked"}
    yield Found(given, span=span)


_HAVE_TO = Rule(
    "task_waiting", "tasks", "该 有 欠",
    re.compile(
        rf"(?P<what>[^,，我你他她]{{2,12}}?该{_ACTION}[^,，]{{0,6}}?)了(?:[,，。]|$)|还欠(?P<owed>[^,，]{{3,20}})|"
        rf"有(?:一?个|一?份|一?篇|一?场)(?P<have>[^,，有]{{2,14}})要(?:做|写|交|改|弄|准备|填)(?:[,，。]|$)"
    ),
    _waiting,
)  # fmt: skip

_BLOCKED = Rule(
    "task_blocked", "tasks", "卡 阻 b",
    re.compile(r"(?<=.{3})(?:卡在|被.{1,12}(?:阻塞|block|卡住|卡着)|(?:一直)?卡着|阻塞(?:在|了))", re.IGNORECASE),
    _blocked,
)  # fmt: skip


def _underway(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if match["topic"] is not None:
        title = written(scene, 0, len(scene.clause.text))
        yield Found({"task_id": content_slug(match["topic"]), "title": title, "status": "doing"})
        return
    if _VAGUE.search(match["what"]):
        return
    yield Found(
        {
            "task_id": content_slug(match["what"]),
            "title": written(scene, match.start("what"), len(scene.clause.text)),
            "status": "doing",
        }
    )


_UNDERWAY = Rule(
    "task_underway", "tasks", "正 手 在",
    re.compile(r"^\s*(?P<topic>[^,，我你他她]{3,20}?)(?:我们?)?(?:正在|已经在|还在)(?:修|写|改|做|弄|处理|排查|跑|"
        r"重构|开发)(?:了|着|中|呢)*\s*$|(?:我们?|^\s*)(?:这周|今天|最近|现在|目前)?(?:正在|手头在|手上在|在着手|"
        r"手头正|在(?=赶|筹备|重构|开发|迁移|搭建|排查))(?P<what>(?:赶|筹备|搭建|重构|开发|迁移|修|排查|整理|部署|"
        r"升级|改|搭|准备.{0,6}材料|写.{0,10}(?:报告|文档|方案|脚本|论文)).{2,})"),
    _underway,
)  # fmt: skip

TRANSITIONS: tuple[Rule, ...] = (_TRANSITION,)
"""What becomes of tasks that are known; before all that may read the same words as something new."""
TASKS: tuple[Rule, ...] = (_MINE, _ON_LIST, _LISTED, _DEADLINE, _BLOCKED, _HAVE_TO, _TO_DO, _UNDERWAY)
"""New tasks, most specific first."""
