"""Facts about the user told in Chinese in passing, often without a subject: birth, trade, body, means, status."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain_core.extract.chinese.brought_in import tells_of_one_brought_in
from brain_core.extract.chinese.clauses import each, written
from brain_core.extract.chinese.facts import NUMBER, facts, is_to_come
from brain_core.extract.chinese.jobs import JOBS
from brain_core.extract.chinese.vocabulary import NEAR_IN_ENGLISH
from brain_core.extract.language import Build, Found, Rule, Scene
from brain_core.text.expression import Expression

_OTHERS = Expression(
    rf"{NEAR_IN_ENGLISH}|[他她你您]|朋友|同事|同学|邻居|老板|领导|客户|网友|室友|老公|老婆|爸|妈|儿子|女儿|孩子|哥|姐|弟|妹|爷爷|"
    r"奶奶|对象|"
    r"男友|女友|学生|病人|患者|员工|候选人|主角|角色|这个人|那个人|有人|人家"
)
_SUBJECT = (
    r"(?:^|[,，。:：\s])(?:我|俺|本人|咱|鄙人|自己|人)?(?:呢|这人|目前|现在|今年|从小|打小|天生|之前|以前|"
    r"去年|前年|早年|一直|已经|都|也|还|就|是|个|,)*"
)


def _told(k: str, refuse: str = "$^") -> Build:
    refused = Expression(refuse)

    def build(match: re.Match[str], scene: Scene) -> Iterable[Found]:
        clause, sentence = scene.clause.text, scene.clause.sentence
        head = sentence[: max(sentence.find(clause), 0) + match.end()]
        of_another = _OTHERS.search(head) or tells_of_one_brought_in(sentence.partition(clause)[0])
        if not of_another and not refused.search(clause):
            yield facts((k, written(scene, match.start("v"), match.end("v"))))

    return build


def _means(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read what the user earns, owns or owes; not what is offered: 月薪五千五，包午饭，要会裱花."""
    if _OFFERED.search(scene.clause.sentence) is None:
        yield from _HAS(match, scene)


_HAS = _told("status", r"涨|想|如果|多少|怎么|够吗|要不要")
_OFFERED = Expression(
    r"包(?:吃|住|食宿|[一两三早午中晚]{0,2}[餐饭顿])|要(?:会|求)|招(?:聘|人|工|个|一)|启事|应聘|试用期|面议"
)


_BODY = (
    r"(?:膝盖|半月板|韧带|跟腱|腰椎|腰|颈椎|脊柱|肩膀|肩|手腕|脚踝|胯|髋|肘|心脏|胃|肝|肾|肺|甲状腺|视网膜|牙|"
    r"左[手眼耳腿脚]|右[手眼耳腿脚])"
)


def _trade(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    name = "v" if match["v"] is not None else "v2"
    clause, sentence = scene.clause.text, scene.clause.sentence
    head = sentence[: max(sentence.find(clause), 0) + match.end()]
    mine = re.search(r"我|俺|本人|坐标|入行|[0-9]+ ?后", head) or sentence.startswith(clause)
    if _ADDRESSED.fullmatch(match[name]) or _PASTIME.match(match[name]) or is_to_come(scene, match.end()):
        return
    if mine and not _OTHERS.search(head) and not re.search(r"想|打算|要不|帮|请|给|怎么|什么|如何|伴郎|兼", match[0]):
        yield facts(("role", written(scene, match.start(name), match.end(name))))


_PASTIME = Expression(
    r"(?:跑(?:步|全马|半马|马拉松)|画画|拍照|种[花菜]|养(?!殖|猪|牛|羊|鸡|鸭|蜂|虾|蟹)|开车|带[娃孩]|做(?:饭|菜|瑜伽|运动|普拉提|手工|志愿|康复)|写(?:日记|字|毛笔|书法))"
    r"[^,，的]{0,4}?[0-9零一二三四五六七八九十百两几好]+\s*年"
)
"""What one has done for years besides one's work: 跑步四年了."""
_ADDRESSED = Expression(r"[\u4e00-\u9fff](?:老师|医生|律师|教练|护士|会计|司机)")
"""A surname and a title: somebody who is spoken to or of."""

SELVES: tuple[Rule, ...] = (
    Rule(
        "profile_seniority", "profile", each("龄验带口碗砖饭杂漂安落混待呆干做大研读8双"),
        Expression(
            rf"{_SUBJECT}(?:退休前|下岗前|以前|之前|毕业后)?(?:有|做了|干了|是)?(?P<v>(?:{NUMBER}|十几|二十几|"
            rf"几十)多?年(?:的)?(?:驾龄|工龄|教龄|党龄|烟龄|码龄|军龄|从业经验|工作经验|经验|"
            rf"老[\u4e00-\u9fff]{{1,4}})|"
            rf"(?:手下|手底下)?带(?:着|了)?(?:{NUMBER}|十几|几十)(?:来)?[个号](?:人|兵|徒弟|研究生|"
            rf"学生)[^,，]{{0,6}}|家里(?:{NUMBER})口人?|吃[^,，]{{1,6}}这碗饭|(?:搁|在)[^,，]{{2,10}}(?:混|漂|待|"
            rf"呆|干|做)了?(?:快)?(?:{NUMBER}|十几|几十)多?年|大[一二三四](?:在读|学生)|"
            rf"研[一二三](?:在读)?(?=[,，]|$)|读[^,，我你他]{{1,8}}的?(?:硕士|博士|本科|研究生)|(?:985|211|"
            rf"双一流)[^,，]{{0,6}}[硕本博][士科]?(?=[,，]|$)|"
            rf"在[^,，]{{2,14}}(?:搬砖|混饭吃?|打杂|当差|讨生活|漂着?|安家|落户))"
        ),
        _told("experience", r"怎么|想|如果"), shares=True,
    ),
    Rule(
        "profile_condition", "profile", each("吸律颤低耳眼手腿脚听视色戴轮高糖痛哮贫抑失癫湿鼻结突撕断伤劳开术孕胃心"),
        Expression(
            rf"{_SUBJECT}(?:有|患|得了|得过|查出|确诊)?(?:有|了)?(?P<v>(?:听障|视障|色盲|色弱|聋|哑|轻度|重度|"
            rf"先天性)[^,，]{{0,10}}|"
            rf"[左右双][耳眼手腿脚](?:听不|看不|使不|不太|失聪|失明|残)[^,，]{{0,6}}|(?:戴|装|坐|拄)(?:着|"
            rf"了)?(?:助听器|人工耳蜗|心脏支架|起搏器|轮椅|拐|假肢|牙套|隐形眼镜|支架)[^,，]{{0,6}}|"
            rf"(?:(?:轻度|中度|重度|阻塞性)?(?:睡眠)?呼吸暂停|高血压|低血压|高血脂|高胆固醇|房颤|心律不齐|糖尿病|"
            rf"痛风|哮喘|贫血|抑郁症?|失眠症|癫痫|湿疹|鼻炎|肾结石|胆结石|{_BODY}间?盘?(?:突出|"
            rf"劳损|炎|病|损伤|增生)|地中海贫血|蚕豆病|乙肝|甲亢|甲减|胃溃疡|偏头痛|多囊|痔疮|静脉曲张|"
            rf"飞蚊症)[^,，]{{0,10}}|"
            rf"{_BODY}[^,，]{{0,6}}?(?:撕|断|伤|骨折|做|动|开|崴|扭|摔|搭)(?:裂|断)?(?:过|了)(?:手术|刀|支架|桥)?)"
        ),
        _told("health", r"药|怎么|今天|昨天|吗|预防|治|[喘病症压炎风糖]的(?!人|我)|喷雾|[仪表]$"),
        shares=True, vital=True,
    ),
    Rule(
        "profile_trade", "profile", each(
            "码程社宝奶学应家无待自退打出行全创北业干当做写入单亲师员开跑卖教带修画拍种养"),
        Expression(
            rf"(?:^|[,，。\s])(?:我|俺|本人|咱)?(?:是|就|一个|一枚|一名|个|名|老|小|苦逼|资深|\s)*"
            rf"(?P<v>(?:码农|程序员|程序猿|社畜|宝妈|奶爸|学生党|应届生|大学生|研究生|高中生|博士生|家庭主妇|"
            rf"全职(?:妈妈|太太|主妇|爸爸)|单亲(?:妈妈|爸爸)|无业|待业|自由职业|退休(?:教师|工人|职工|干部)?|打工人|"
            rf"个体户|(?:[^,，\s我在当做想是他她你着了跟和找问见给叫陪等请]{{0,6}}(?:工程师|设计师|教师|老师|护士|"
            rf"医生|会计|律师|司机|厨师|"
            rf"销售|产品经理|店主|店长|编辑|摄影师|研究员|公务员|药剂师|翻译|教练)))(?:一枚|一个|一名|"
            rf"一只)?)\s*(?=[,，。!！]|$)|"
            rf"(?:^|[,，。\s])(?:我|俺|本人)?(?:平时|现在|目前|白天|晚上|主要|主业|副业|本职|常年|一直|以前|后来|"
            rf"是|就|在|\s)*(?P<v2>(?:写|搞|做|干|跑|开|卖|教|带|当|修|画|拍|种|养)(?:着|过|的是)?\s*"
            rf"[^,，我你他她了]{{1,10}}?(?:的|(?:{NUMBER}|好几|十几|几十)\s*年(?:了|多)?|出身|为生|谋生|讨生活|"
            rf"{JOBS})|(?:大学|本科|研究生)?学[^,，我你他]{{1,8}}(?:的|专业|出身)|(?:自己|跟人|"
            rf"跟?[和跟]朋友)(?:合伙|单干)?(?:开|经营|创办|弄|搞)了?一?[家个间][^,，]{{1,12}}|"
            rf"(?<=[天上])写\s*(?:[A-Za-z+#]{{2,12}}|代码|小说|程序|前端|后端)[^,，]{{0,8}})(?=[,，。\s]|$)"
        ),
        _trade, shares=True,
    ),
    Rule(
        "profile_means", "profile", each("月年存负房车社养公工收断租绿签户P"),
        Expression(
            rf"{_SUBJECT}(?:有|欠|背着|背了)?(?P<v>(?:月薪|年薪|月入|年入|收入|工资|存款|负债|房贷|车贷|欠款|社保|"
            rf"养老保险|医保|公积金|信用卡)(?:是|有|才|大概|每月|断了|断缴|欠|没过|不到|快|缴了|交了|税前|税后|"
            rf"还剩|,)*\s*"
            rf"[^,，]{{0,6}}(?:{NUMBER}|断缴|断了)[^,，]{{0,10}}|(?:租房(?:住)?|有房|没房|无房|有车|没车|无车|"
            rf"绿卡|(?<=有)PR|(?<=有 )PR|(?:澳洲|加拿大|新西兰|新加坡|枫叶)\s*PR|永居|非京籍|"
            rf"[\u4e00-\u9fff]{{1,3}}户口|农村户口))(?=[,，。\s]|$)"
        ),
        _means, shares=True,
    ),
    Rule(
        "profile_marital", "profile", each("单婚离丧丁"),
        Expression(rf"{_SUBJECT}(?P<v>单身|已婚|离异|未婚|丧偶|丁克)(?=[,，。\s]|$)"),
        _told("marital_status", r"想|如果|怎么|要不要"), shares=True,
    ),
    Rule(
        "profile_certified", "profile", each("过证照级N托雅考"),
        Expression(
            rf"{_SUBJECT}(?:考|拿)?(?:过|出|到|下)?(?:了)?(?P<v>(?:N[1-5]|[一二]级建造师|注会|CPA|CFA|法考|教资|"
            rf"驾照|雅思|托福|GRE|GMAT|专八|专四|四级|六级|PMP|软考|初级会计|中级会计|[A-Z][A-Za-z0-9+-]{{1,12}}证)"
            rf"\s*(?:已经|早就|去年|今年|刚)?(?:考?过了|拿了|拿到了|考了\s*[0-9.]+|有了|[0-9.]+分?))", re.IGNORECASE,
        ),
        _told("education", r"没|想|打算|要|准备|怎么"), shares=True,
    ),
)  # fmt: skip
"""All share the clause: one clause may tell several."""
