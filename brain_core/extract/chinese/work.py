"""What the user does, told in Chinese: employer, job, experience, education."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.facts import (
    ME,
    NUMBER,
    fact_value,
    facts,
    goes_on_of_another,
    is_to_come,
    one_fact,
    since_of,
    taken,
)
from brain_core.extract.chinese.jobs import JOBS
from brain_core.extract.known import known_facts
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression


def _role(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    value = fact_value(match, scene, taken(match))
    if re.search(r"想|打算|准备|计划|希望|考虑|要转|可能", match[0]) or is_to_come(scene, match.end()):
        return
    if len(value) >= 2 and not re.search(
        r"伴[郎娘]|^(?:这(?!家|边的)|那|不|你|他|她|很|想|因为|为了|说|最|个(?:好|坏|笨|懒|什么)|在|不是|谁|来|"
        r"从)|[喜爱想要会能]",
        match[taken(match)],
    ):
        yield facts(("role", value), since=since_of(scene))


def _employer(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    place, doing = fact_value(match, scene, "place"), match["doing"]
    if not match[0].lstrip().startswith(("我", "俺", "本人")) and goes_on_of_another(scene):
        return
    if re.search(r"份|换|找|当前|思考|考虑|准备|寻找|的$|新$|努力|附近|同一|一直|某", match["place"]):
        return
    if not place or re.search(
        r"^(?:这|那|哪|家$|网上|线上|线下|外面|平时|努力|认真|哪里|一起|用|你|想|学|写|看|做|不|准备)|的时候|时$|"
        r"里面",
        match["place"],
    ):
        return
    if doing in ("工作", "上班", "任职", "就职", "打工", "供职", "实习", "教书", "当老师", "坐班"):
        k = (
            "home"
            if re.fullmatch(
                r"(?:北京|上海|广州|深圳|杭州|成都|南京|武汉|西安|苏州|重庆|天津|长沙|厦门|青岛|大连|香港|台北|东京|"
                r"新加坡|伦敦|纽约|[^公司厂院校店行所局]{1,4}(?:市|省|县))",
                match["place"],
            )
            else "employer"
        )
        k = "workplace" if k == "home" else k
        yield facts((k, place), since=since_of(scene))
        yield from _role_goes_on(scene) if k == "employer" else ()
    else:
        job = fact_value(match, scene, "job")
        job = re.sub(r"(?:到|至)(?:现在|今)$|至今$", "", job)
        if len(job) < 2 or not re.search(JOBS, match["job"], re.IGNORECASE):
            return
        of_a_firm = (
            _FIRM.search(match["place"])
            and not _OVER.search(scene.clause.sentence)
            and not _BY_A_FIRM.search(match["job"])
        )
        has_employer = any(k == "employer" for k, _ in known_facts(scene.known))
        if _WORKPLACE.search(match["place"]) or (of_a_firm and has_employer):
            yield facts(("role", job), ("employer", place), since=since_of(scene))
        else:
            yield facts(("role", f"{place}{job}" if job in _BARE or of_a_firm else job), since=since_of(scene))


def _joined(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read 跳槽到字节了."""
    told = list(_employed(match, scene))
    yield from told
    yield from _role_goes_on(scene) if told else ()


def _role_goes_on(scene: Scene) -> Iterator[Found]:
    """Yield what the user is without the firm that it was told with, 后端 of 腾讯后端, once another employs them."""
    for k, v in known_facts(scene.known):
        left = _FIRM_FIRST.match(v) if k == "role" else None
        if left is not None:
            yield facts(("role", left["job"]))


_employed = one_fact("employer", refuse=r"^(?:手续|体检|新公司|材料|培训|第|时|前|后|那|这|群|会|讨论|健身|社)")


_WORKPLACE = Expression(
    r"公司|集团|厂|医院|院(?:$|[^子])|[国央外私民]企|事业单位|幼儿园|超市|餐厅|星巴克|麦当劳|肯德基|海底捞|瑞幸|学校|大学|银行|局|所$|工作室|店|部门|组$|事务所|研究院|中学|小学|机构|[A-Za-z]"
)
_FIRM = Expression(
    r"科技$|网络$|软件$|证券$|保险$|基金$|传媒$|"
    r"地产$|电子$|药业$|物流$|快递$|电网$|石油$|石化$|航空$|铁路$|地铁$|通信$|电信$|"
    r"腾讯|阿里|百度|字节|美团|京东|华为|小米|网易|滴滴|拼多多|快手|蚂蚁|携程|新浪|搜狐|"
    r"联想|海尔|格力|中兴|大疆|比亚迪|宁德时代|吉利|理想汽车|蔚来|小鹏|商汤|旷视|科大讯飞|海康|顺丰|菜鸟|万科|恒大|碧桂园|平安|"
    r"茅台|国家电网|中[石移]|联通|招商|微软|谷歌|亚马逊|英特尔|特斯拉|西门子|博世|三星电子"
)
"""A firm, and no town: it takes the place of the employer that is known, and else stands with the role."""
_FIRM_FIRST = Expression(rf"[^,，]{{0,8}}?(?:{_FIRM.pattern.replace('$', '')})(?P<job>[^,，]{{2,}})$")
_OVER = Expression(r"以前|之前|曾|时候|离职|[被裁]员|被裁|辞|当年|那时|那会|毕业后|后来|刚毕业|跳槽")
"""What says that one worked there once, or has left."""
_BY_A_FIRM = Expression(
    r"外包|派遣|驻场|司机|代理|写手|音乐人|达人|博主|主播|[Uu][Pp]主|自媒体|作者|站长|店[主长]|电商|骑手|外卖|直播|代购|新媒体|运营号"
)
"""What one does on the platform of a firm or for it, and not in its pay."""
_BARE = frozenset(("老师", "医生", "经理", "主任", "员工"))


def _experience(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield facts(("experience", written(scene, match.start(), match.end(taken(match)))))


def _education(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    value = fact_value(match, scene, taken(match))
    if len(value) >= 2 and not re.search(r"什么|哪|几", value):
        yield facts(("education", written(scene, match.start(), len(scene.clause.text))))


def _retired(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    yield facts(("role", written(scene, match.start("v"), match.end("v"))))


WORK: tuple[Rule, ...] = (
    Rule(
        "profile_retired", "profile", each("退待全"),
        Expression(rf"{ME}(?:已经|都|早就|去年|今年|刚|现在)*(?P<v>退休了?|待业|全职带(?:娃|孩子)|全职在家(?:带(?:娃|孩子))?)(?:[,，。！!]|$)"),
        _retired, shares=True,
    ),
    Rule(
        "profile_employer",
        "profile",
        each("在工职班任就供习做当"),
        Expression(
            rf"(?:{ME}(?:现在|目前|平时|之前|还|一直|是|就|已经|从.{{2,8}}起|从.{{2,8}}开始|自.{{2,8}}起){{0,6}}|"
            rf"^\s*(?:现在|目前|如今|后来|平时|毕业后)?)在(?P<place>[^,，。]{{2,24}}?)(?:(?P<doing>工作|上班|任职|"
            rf"就职|打工|供职|实习|教书|"
            rf"坐班)|(?:里|那边|这边)?(?:做|当|担任|任|干|搞)(?P<job>[^,，。了过做当]{{0,12}}{JOBS}))(?!的时候|时|"
            rf"之外|之余|吗)"
        ),
        _employer,
        shares=True,
    ),
Rule(
        "profile_since",
        "profile",
        each("就"),
        Expression(
            rf"{ME}(?:从|自)?\s*(?P<when>[12][0-9]{{3}}\s*年?|去年|前年|今年|"
            rf"[0-9一二三四五六七八九十两]+年前)(?:[0-9]{{1,2}}月)?(?:起|开始|以来|底|"
            rf"初)*就?(?:一直)?在(?P<v>[^,，。做写学用看练住吃]{{2,14}}?)(?:了|工作|上班)*\s*$"
        ),
        one_fact("employer"),
        shares=True,
    ),
Rule(
        "profile_joined",
        "profile",
        each("入跳加"),
        Expression(
            rf"{ME}(?:们)?.{{0,10}}?(?:入职|跳槽到|跳槽去|从[^,，。]{{1,10}}?跳(?:到|去)|加入)(?:了)?(?P<v>[^,，。你我他的]{{2,14}}?)(?:了|当|做|的|"
            rf"公司|$)"
        ),
        _joined,
        shares=True,
    ),
Rule(
        "profile_role",
        "profile",
        each("是当做任干搞转改开经创"),
        Expression(
            rf"{ME}(?:现在|目前|本职|的职业|的本职工作|的工作|主业|平时|之前|本身|自己|其实|也|就|大学|专业)*(?:是|"
            rf"就是|是做|是搞|是干|做|当|担任|从事|干)(?:一个|一名|一位|一家|名|个|"
            rf"位)?(?P<v>[^,，。]{{0,16}}?{JOBS})(?:的|了)?(?:[,，。\s]|$|,|兼|出身|一枚)|"
            rf"{ME}(?:现在|目前)?是(?:做|搞|干|学|教|开|卖|跑|拍)(?P<v2>[^,，。]{{2,14}}?)的(?:[,，。\s]|$)|(?:{ME}|"
            rf"^).{{0,8}}?(?:转行|转岗|改行|转)(?:去)?(?:做|当|到|成)了?(?P<v4>(?![^,，。]*(?:上班|工作|返工))[^,，。]{{2,12}}?)(?:了)?(?:[,，。\s]|"
            rf"$)|{ME}(?:自己|现在|跟朋友)*(?P<v5>(?:开|经营|创办)了?(?:一)?[家个间][^,，。]{{1,14}}?(?:公司|店|馆|"
            rf"工作室|厂|网店|铺|民宿|诊所|吧|超市)(?:名?叫[^,，。的]{{1,12}})?)|(?:职业|工作|职位|岗位)是(?P<v3>[^,，。]{{2,14}}?{JOBS})(?:[,，。\s]|"
            rf"$)",
            re.IGNORECASE,
        ),
        _role,
        shares=True,
    ),
Rule(
        "profile_working_years",
        "profile",
        each("工作年"),
        Expression(
            rf"{ME}(?:已经|都|在[^,，。]{{2,10}})?(?:工作|上班|干了?|做了?|当了?|从业)了?(?P<v>{NUMBER}年(?:多|"
            rf"半)?(?:的?(?P<job>[^,，。了]{{2,10}}))?)(?:了|$|[,，。])"
        ),
        _experience,
        shares=True,
    ),
Rule(
        "profile_education",
        "profile",
        each("毕读学就本硕博"),
        Expression(
            rf"(?:{ME}|^).{{0,8}}?(?:毕业于|(?:本科|硕士|博士|研究生|大学)(?:是|就)?(?:在|读的?|念的?|"
            rf"毕业于))(?P<v>[^,，。]{{2,20}})|{ME}(?:是)?(?P<v2>[^,，。我]{{2,20}}?)(?:本科|硕士|博士|"
            rf"研究生)?毕业(?:的|生)|{ME}(?:现在|目前|正)?在(?P<v3>[^,，。]{{2,14}}?)(?:读|念|上)(?:博士?|硕士?|"
            rf"研究生?|研|本科|大[一二三四]|大学|高中|高[一二三]|MBA)"
        ),
        _education,
        shares=True,
    ),
)  # fmt: skip
"""All share the clause: one clause may tell several."""
