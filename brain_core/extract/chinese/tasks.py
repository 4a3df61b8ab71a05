"""Tasks told in Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.chinese.clauses import each, rest_of_sentence, tidy, written
from brain_core.extract.chinese.dates import first_day
from brain_core.extract.chinese.lists import LEADING, LISTS, task
from brain_core.extract.chinese.tenses import moved_day
from brain_core.extract.chinese.vocabulary import content_slug
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_VAGUE = Expression(
    r"放松|休息|努力|注意|加油|学会|适应|考虑|面对|调整|改变|相信|坚持|尝试|建议|帮助|帮忙|推荐|时间|勇气|耐心|信心|"
    r"思考|晚餐|午餐|早餐|做饭|下次|再聊|休息|多(?:做|看|练|吃|喝|睡|运动)|好好|慢慢|"
    r"知道|了解|明白|承认|说|谢|想|睡觉|吃饭|看看|珍惜|减肥|冷静|来回|反复"
)
_ACTION = (
    r"(?:写|交|发|寄|买|订|修|改|打电话|打给|联系|办|退|取|提交|完成|搞定|整理|准备|更新|部署|测试|迁|合并|预约|约|"
    r"缴|还(?=[钱书款信])|填|报(?!到)|签|续|换|搬|洗|清理?|通知|回复?|审|"
    r"安装|装|配置|升级|备份|做完|写完|补|核对|对接|上传|下载|打印|收拾|打扫|浇|喂|接(?=[^受触近])|送|拿|挂号|体检|"
    r"复查|复习|背|排查|调试|重构|评审|汇报|开通|注册|申请|续费|充值|转账|卖|扔|赶|报名|领|捐|剪|回(?=.{0,6}(?:邮件|"
    r"信|电话|消息))|问|开(?=.{0,4}(?:证明|发票))|借|配|理发|学完|看完|读完|算|付|结清|跟进|催|找.{1,8}(?:签|确认|要|"
    r"拿|谈)|"
    r"挂失|补办|补交|催|弄|搞|赶出|凑|跑通|申报|缴纳|归档|扫描|盖章|复印|公证|过户|年检|保养|加油|取消|验|贴|粘|"
    r"抄|交接|汇总|对账|复盘|演练|排练|彩排|"
    r"检查|带(?=.{1,8}[去打看])|打(?=[疫针印])|做(?=.{2})|跑一?[遍次]|上线|发布|录|剪|翻译|画|设计|拆|拍|刷|查|列)"
)


def _title(scene: Scene, start: int, stop: int) -> str:
    folded = scene.clause.text[start:stop]
    lead = LEADING.match(folded)
    return written(scene, start + (lead.end() if lead else 0), stop)


def _deadline(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    folded = scene.clause.text
    day = moved_day(folded, scene.said) or first_day(folded, scene.said)
    if (
        day is None
        or day.day < scene.said
        or _AIMED.search(folded)
        or re.search(
            r"到期(?=的|那)|口径|定义|意思|是指|算是|是[^,，]{0,8}内|^\s*截止|[他她]们?(?:得|要|必须)|(?:他|她|老师|学校|公司)规定|"
            r"生日|结婚|睡前|饭前",
            folded,
        )
    ):
        return
    if not re.search(_ACTION, folded) and not re.search(r"到期|截止|ddl|deadline|due|搞", folded, re.IGNORECASE):
        return
    after = re.match(r"\s*(?:下?班|中午|晚上|上午|下午|早上)?(?:结束)?(?:之前|以前|前|内|之内)?", folded[day.stop :])
    rest = day.stop + (after.end() if after else 0)
    head = re.sub(
        r"(?:我们?|咱们?|得|要|需要|必须|在|于|还|务必|一定|赶|争取|记得|,|，|"
        r"\s)+$",
        "",
        folded[: day.start],
    )
    start = 0 if len(LEADING.sub("", head)) >= 2 else rest
    title = _title(scene, start, len(folded))
    place = scene.clause.sentence.rfind(folded)
    if start == rest and len(title) <= _BARE and place > 0 and _LISTS.search(scene.before):
        title = tidy(f"{written(scene, -place, 0)}，{title}")
    due = day.day.isoformat() if day.exact else ""
    if len(title) >= 2:
        yield task(title, LEADING.sub("", folded[: day.start]) + folded[rest:], due)


_BARE = 3
"""Characters of a verb that says nothing without what it is done with."""
_LISTS = Expression(r"、|[:：]")
_DEADLINE = Rule(
    "task_deadline", "tasks", "前 截 到 d D 内 交 要 得 必",
    Expression(r"(?:[天日号末底一二三四五六0-9初午班年月节周晚早上点会]|春节|国庆)\s?(?:之前|以前|"
               r"(?<![0-9一二三四五六七八九十两几多半]年)前(?![面端台天辈途]))|"
        r"截止|到期|ddl|deadline|(?:[天日号周底末一二三四五六]|天之|周)内|[日号天一二三四五六末](?:要|得|必须)?交|"
        r"^[^,，我你他她]{2,16}?(?:这|本|下)?(?:周|星期|月)[一二三四五六日天内底]?(?:之?内|前)?(?:就|一定|都)?(?:要|"
        r"得|必须)", re.IGNORECASE),
    _deadline,
)  # fmt: skip


_APPOINTED = Expression(r"手术|面试|考试|婚礼|演唱会|出差|答辩|开庭|飞[\u4e00-\u9fff]{2}")
_AIMED = Expression(
    r"(?:争取|力争|希望|想|打算|梦想|目标|立志).{0,14}(?:年|岁|季度|国庆|春节|暑假|寒假|Q[1-4])|"
    r"(?:年|岁|季度|国庆|春节|暑假|寒假|Q[1-4])[^,，]{0,8}(?:争取|力争|希望|想|打算|目标)"
)


def _to_do(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    folded = scene.clause.text
    if _APPOINTED.search(folded) and not re.search(r"准备|预约|挂号|[订买约交写]", folded):
        return
    if re.search(r"现在我?们?(?:要|得)|我先|要走了|先这样", folded):
        return
    place = match.start("what") if match["what"] is not None else match.start()
    what = folded[place:]
    if _VAGUE.search(what) or re.match(r"(?:[你您他她]|我(?!们|得|要|还))", what):
        return
    day = first_day(folded, scene.said)
    lead = LEADING.match(what)
    start = place + (lead.end() if lead else 0)
    title = written(scene, start, len(folded))
    if len(title) >= 3:
        yield task(title, folded[start:], day.day.isoformat() if day and day.exact else "")


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
    Expression(rf"(?:^|我们?|咱们?|对了|,|，)\s*(?:还|也|就|{_DATE}(?:上午|下午|晚上|早上|中午)?|还是){{0,6}}(?:得|需要|"
        rf"必须|务必要?|该|要|记得|打算|准备)(?P<what>(?:去|把|给|跟|找|先|再|重新|尽快|抽空|帮|在|到|和|赶紧|"
        rf".{{0,6}})?.{{0,14}}?{_ACTION}.*)|"
               rf"(?:我(?:们)?)(?P<w2>){_DATE}(?:把|给|去){_ACTION}|(?P<w3>)^\s*(?:我|我们)?{_DATE}(?:先|再|"
               rf"还)?(?:去|把|给).{{0,12}}?{_ACTION}"),
    _to_do_any,
)  # fmt: skip


def _is_mine(head: str) -> bool:
    """Return whether what stands before a verb says who and when well enough: 我还得…, 周末要…, but not 要…."""
    return bool(re.search(rf"{_DATE}|还(?:得|要|需要)|我们?(?:得|必须|需要|该|要)", head))


def _mine(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    day = first_day(scene.clause.sentence, scene.said)
    due = day.day.isoformat() if day is not None and day.exact else ""
    yield task(written(scene, match.start("what"), match.end("what")), match["what"], due)


_MINE = Rule(
    "task_mine", "tasks", "归 我",
    Expression(r"(?P<what>[^,，:我你他她]{3,24}?)(?:这[块事]|那[块事]|这边|都|就)?(?:归我(?:管|了|做|写|弄|负责|来做?|跟)?|我来(?:负责|跟|写|"
        r"搞定|弄|处理)|交给我了?|由我来?(?:负责|做|写|跟|接手?|弄))(?:[,，。]|$)"),
    _mine,
)  # fmt: skip


def _owed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 得抽空换证, 报销单还没贴,周五要交, 我答应老周周末前看完."""
    folded, sentence = scene.clause.text, scene.clause.sentence
    if _APPOINTED.search(folded) or _AIMED.search(folded) or _VAGUE.search(folded) or _PAID_BACK.search(folded):
        return
    after = sentence[sentence.find(folded) :]
    if re.search(r"没", match[0]) and not re.search(
        r"得|要|计划|打算|截止|期限|尽快|抓紧|赶紧|今晚|明天|"
        r"周[一二三四五六日末]",
        after,
    ):
        return
    names_nothing = len(content_slug(folded)) < 2 and scene.before and scene.before in sentence
    title, span = rest_of_sentence(scene, -len(scene.before) - 1 if names_nothing else 0)
    day = first_day(fold(title), scene.said)
    yield task(title, fold(title) if names_nothing else folded, day.day.isoformat() if day and day.exact else "", span)


_OWED = Rule(
    "task_owed", "tasks", each("得没答该催欠压积攒堆"),
    Expression(
        rf"^\s*(?>还|也|就|可|又|我们|我|咱|这[两几]天|回头|明天|今天|周末|{_DATE}|一[大早]*早|上午|下午|晚上|"
        rf"中午|之前)*得(?!来回|反复|[了到意罪过分体知失以出看想等说靠花有多是劲很])(?:去|抽空|先|赶紧|找|把|给|跟|再|尽快|"
        rf"重新|趁)*.{{0,12}}?{_ACTION}|"
        rf"^\s*(?P<what>[^,，我你他她]{{2,14}}?)(?:还|都|也)+没(?:来得及|去|给)*{_ACTION}(?:呢|完|好|上|掉|"
        rf"出去)?(?=[,，]|$)|"
        rf"^\s*(?:我)?(?:还)?欠(?:着|了)?(?!费|缺|揍)[^,，你]{{3,}}|^\s*(?:我)?(?:手上|手头|手里|"
        rf"这边)(?:还)?(?:压|积|攒|堆|剩|有)(?:着|了)?[^,，]{{2,16}}没[^,，]{{1,6}}$|我(?:跟|"
        rf"对)?[^,，]{{0,4}}答应(?:了|过)?[^,，吗]{{4,}}|有[^,，有]{{1,10}}(?:要|得){_ACTION}"
    ),
    _owed,
)  # fmt: skip


_PAID_BACK = Expression(r"欠[^,，没]{1,14}(?:还|给|结|付|补)(?:清|完|上|齐|掉)?了")
"""A debt that is told with its payment: 欠老周的三千块我还了."""


def _waiting(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if _PAID_BACK.search(scene.clause.text):
        return
    day = first_day(scene.clause.sentence, scene.said)
    due = day.day.isoformat() if day is not None and day.exact else ""
    start = 0 if match["owed"] is not None else match.start()
    yield task(written(scene, start, match.end()), match[0], due)


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
    Expression(
        rf"(?P<what>[^,，我你他她]{{2,12}}?该{_ACTION}[^,，]{{0,6}}?)了(?:[,，。]|$)|还欠(?P<owed>[^,，]{{3,20}})|"
        rf"有(?:一?个|一?份|一?篇|一?场)(?P<have>[^,，有]{{2,14}})要(?:做|写|交|改|弄|准备|填)(?:[,，。]|$)"
    ),
    _waiting,
)  # fmt: skip

_BLOCKED = Rule(
    "task_blocked", "tasks", "卡 阻 b",
    Expression(r"(?<=.{3})(?:卡在|被.{1,12}(?:阻塞|block|卡住|卡着)|(?:一直)?卡着|阻塞(?:在|了))", re.IGNORECASE),
    _blocked,
)  # fmt: skip


def _underway(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if match["begun"] is not None:
        if not _VAGUE.search(match["begun"]) and not re.search(r"[他她你]", match["begun"]):
            title = written(scene, match.start("begun"), match.end("begun"))
            yield Found({"task_id": content_slug(match["begun"]), "title": title, "status": "doing"})
        return
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
    "task_underway", "tasks", "正 手 在 始 工",
    Expression(r"^\s*(?:我|我们|今天|昨天|刚|已经|这周|上周|总算|终于)*(?:开始|着手|动手|开工)(?:动手|着手|"
               r"在)?(?P<begun>(?:写|做|改|整理|准备|搭|画|重构|迁|"
               r"搬|修|拆|装|刷|背|复习|录|剪|设计|开发|测|排|编|翻译|校对|备课|备考)[^,，。]{2,})|"
               r"^\s*(?P<topic>[^,，我你他她]{3,20}?)(?:我们?)?(?:正在|已经在|还在)(?:修|写|改|做|弄|处理|排查|跑|"
        r"重构|开发)(?:了|着|中|呢)*\s*$|(?:我们?|^\s*)(?:这周|今天|最近|现在|目前)?(?:正在|手头在|手上在|在着手|"
        r"手头正|在(?=赶|筹备|重构|开发|迁移|搭建|排查))(?P<what>(?:赶|筹备|搭建|重构|开发|迁移|修|排查|整理|部署|"
        r"升级|改|搭|准备.{0,6}材料|写.{0,10}(?:报告|文档|方案|脚本|论文)).{2,})"),
    _underway,
)  # fmt: skip


def _not_to_forget(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 别忘了交房租: what is to be done, and not what is to be known."""
    what = match["what"]
    if re.search(r"[你您]|的是|就是", what):
        return
    details = _DETAILS.match(scene.message, scene.clause.start + match.end())
    stop = match.end() if details is None else details.end() - scene.clause.start
    title = written(scene, match.start("what"), stop)
    day = first_day(fold(title), scene.said)
    due = day.day.isoformat() if day is not None and day.exact else ""
    yield replace(task(title, what, due), span=(match.start(), stop))


_DETAILS = Expression(
    rf"(?:[,，]\s*(?:{_DATE}(?:上午|下午|晚上|早上|中午)?(?:之?前|以前)?|[0-9](?:[0-9.]|,(?=[0-9]))*+\s*(?:元|块钱?|万|千|百|k|K|个|份|斤|箱)?)){{1,8}}"
    r"(?=[,，。.!！;；\s]|$)"
)
"""By when, and how much: said after what is to be done."""


_NOT_TO_FORGET = Rule(
    "task_not_to_forget", "tasks", "忘",
    Expression(
        rf"^\s*(?:对了|还有|另外|记住|千万|一定|可|也|请|提醒我|,|，|\s)*(?:别|不要|不能|勿|莫)(?:给我)?忘(?:了|记)(?:要|得)?"
        rf"(?P<what>(?:{_DATE}(?:上午|下午|晚上|早上|中午|之?前)?)?(?:去(?:[^,，去再先顺]{{1,5}}?)??|再|先|顺便)*"
        rf"(?:[把给跟向替帮][^,，]{{1,10}}?(?:{_ACTION}|结(?=[工货账房尾]))[^,，]*|{_ACTION}[^,，]{{1,}}))"
    ),
    _not_to_forget,
)  # fmt: skip

TASKS: tuple[Rule, ...] = (_NOT_TO_FORGET, _MINE, *LISTS, _DEADLINE, _BLOCKED, _HAVE_TO, _TO_DO, _OWED, _UNDERWAY)
"""New tasks, most specific first."""
