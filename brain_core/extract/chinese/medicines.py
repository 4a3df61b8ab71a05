"""What the user takes by the doctor's word, and what he must not be given: 我在吃华法林, 别放花生，我过敏."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from brain_core.extract.chinese.clauses import each, tidy, written
from brain_core.extract.chinese.details import with_details
from brain_core.extract.chinese.facts import facts
from brain_core.extract.chinese.recall import profile_fact
from brain_core.extract.chinese.target import of_one_day
from brain_core.extract.chinese.vocabulary import RELATIVE, content_slug
from brain_core.extract.chinese.whose import last_named
from brain_core.extract.known import known_facts
from brain_core.extract.language import Found, Rule, Scene
from brain_core.text.expression import Expression
from brain_core.text.script import fold

_KEY = "medicine_"
_MEDICINE = (
    r"(?P<medicine>华法林|利伐沙班|阿哌沙班|达比加群|肝素|氯吡格雷|波立维|阿司匹林|抗凝药|胰岛素|二甲双胍|格列[美齐]\w|司美格鲁肽|"
    r"阿卡波糖|[\u4e00-\u9fff]{0,3}他汀|降[压糖脂]药|氨氯地平|硝苯地平|[\u4e00-\u9fff]{1,2}普利|[\u4e00-\u9fff]{1,2}沙坦|"
    r"[\u4e00-\u9fff]{1,2}洛尔|地高辛|硝酸甘油|优甲乐|左甲状腺素|泼尼松|强的松|地塞米松|激素药?|甲氨蝶呤|他莫昔芬|化疗药|靶向药|"
    r"奥美拉唑|舍曲林|帕罗西汀|氟西汀|西酞普兰|艾司西酞普兰|文拉法辛|度洛西汀|抗抑郁药|碳酸锂|喹硫平|奥氮平|利培酮|阿立哌唑|"
    r"专注达|择思达|安眠药|地西泮|佐匹克隆|丙戊酸钠?|卡马西平|拉莫三嗪|普瑞巴林|加巴喷丁|吗啡|曲马多|布洛芬|对乙酰氨基酚|"
    r"沙丁胺醇|舒利迭|头孢|青霉素|阿莫西林|避孕药|铁[剂片]|补铁[剂药片]|叶酸片?|钙片|维生素[\u4e00-\u9fffA-Za-z]{0,2})"
)
_NAMED = Expression(_MEDICINE)
_OF_ANOTHER = Expression(rf"^[^,，]{{0,4}}(?:{RELATIVE}|同事|朋友|[他她])(?![^,，]{{0,6}}[让叫给帮])")
_NOT_NOW = Expression(
    r"他(?!汀|莫)|[她它]|^(?:以前|之前|从前|曾)(?!.*一直)|如果|要是|假如|不能|没有?吃|不吃|停了?|戒|吗$|[爸妈爷奶姥公婆]|老[公婆]|儿子|女儿|孩子"
)


def _medicine(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    if _NOT_NOW.search(scene.clause.text):
        return
    told_of, told = last_named(scene), written(scene, 0, len(scene.clause.text))
    if told_of:
        yield _of_another(told_of, told)
    else:
        yield facts((f"{_KEY}{content_slug(match['medicine'])}", told))


def _of_another(who: str, told: str) -> Found:
    """Return what is told of somebody else as knowledge. who: in the words that name them; empty if `told` does."""
    content = f"{who}，{told}" if who else told
    return Found({"kind": "fact", "slug": content_slug(content), "content": content}, type="knowledge")


def _stopped(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read 华法林我停了 of a medicine that is known: not what is not taken today, or by somebody else."""
    clause = scene.clause.text
    if of_one_day(clause) or _OF_ANOTHER.search(clause):
        return
    for k, v in known_facts(scene.known):
        names = {k.removeprefix(_KEY), *(each["medicine"] for each in _NAMED.finditer(fold(v)))}
        if k.startswith(_KEY) and any(name in clause for name in names):
            yield profile_fact(k, v, denies=True)


def _dosed(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read a new dose of a medicine: 医生把我的络活喜加到两片; of somebody else it is knowledge."""
    name, text = match["of"] or match["named"], scene.clause.text
    if of_one_day(text) or _SUPPOSED.search(scene.clause.sentence):
        return
    told_of, told = last_named(scene), written(scene, 0, len(text))
    if told_of or _OF_ANOTHER.search(text):
        yield _of_another(told_of, told)
        return
    known = next((k for k, v in known_facts(scene.known) if k.startswith(_KEY) and name in fold(v)), "")
    if known or _NAMED.search(name) or _BY_A_DOCTOR.search(text):
        yield facts((known or f"{_KEY}{content_slug(name)}", told))


_BY_A_DOCTOR = Expression(r"医生|大夫|医院|主任")
_SUPPOSED = Expression(r"如果|要是|假如|能不能|可不可以|要不要|是不是|打算|考虑|[吗么?？]\s*$")


def _regularly(match: re.Match[str], scene: Scene) -> Iterable[Found]:
    """Read how a medicine is taken, where its name comes first: 二甲双胍一天两次，饭后吃."""
    if not _NOT_NOW.search(scene.clause.text) and not last_named(scene):
        told, span = with_details(scene, 0)
        yield replace(facts((f"{_KEY}{content_slug(match['medicine'])}", told)), span=span)


def _allergic(match: re.Match[str], scene: Scene) -> Iterable[Found]:  # noqa: ARG001
    """Read 别放花生，我过敏: what is not wanted stands in the sentence, before or after."""
    unwanted = _UNWANTED.search(scene.clause.sentence)
    if unwanted is not None:
        value = tidy(scene.clause.sentence)
        yield Found({"scope": "other", "name": f"allergy_{content_slug(unwanted['thing'])}", "value": value})


_DOSE = r"[0-9一二两三四五六七八九十半]+(?:\.[0-9]+)?\s*(?:片|粒|颗|毫克|微克|mg|单位|滴|喷|支|次)"
_FROM_TO = rf"从{_DOSE}[加减改降增](?:到|成|为)了?{_DOSE}"
_UNWANTED = Expression(
    r"(?:别|不要|不能|不可以|不准|少|勿)(?:再)?(?:放|加|给我|搁|要|吃|碰|用|推荐|有)?(?P<thing>[^,，。！!我]{1,8})"
)

MEDICINES: tuple[Rule, ...] = (
    Rule(
        "medicine_stopped", "profile", each("停断不"),
        Expression(r"(?<!没)(?<!不能)(?<!别)(?:停(?:了|掉|用|药|服)|断了)(?!吗|怎么|会)|"
                   r"^[^,，不]*不(?:再|用再|用)?(?:吃|服用?|打|用|注射)[^,，完]*了[。!！~\s]*$"), _stopped, vital=True,
    ),
    Rule(
        "medicine", "profile", each("剂片酸维药林班素雷胍汀平利坦洛辛油乐松嗪唑普锂酮钠丁多芬酚醇孢达肽糖"),
        Expression(
            rf"^(?:[我本人因为以前现目在长期一直还都也每天早晚饭后要得]*)(?:在?吃(?:着|了)?|服用?|口服|注射|打(?:着)?|用(?:着)?|"
            rf"(?:大夫|医生|医院)(?:给我)?(?:开了?|让我吃|叫我吃))[^,，。]{{0,10}}?{_MEDICINE}"
        ),
        _medicine, vital=True,
    ),
    Rule(
        "dose_changed", "profile", each("加减增降调改翻"),
        Expression(
            rf"(?:^|[把将的])(?:我的?)?(?P<of>[\u4e00-\u9fffA-Za-z]{{2,6}}?)(?:的?(?:量|剂量))?(?:已经|又|也|就|刚|给我|从[^,，]{{1,8}}){{0,3}}"
            rf"(?:加|减|增加?|降|调整?|改|翻)(?:量|大|高|低|少)?(?:到|为|成|至)了?{_DOSE}|^(?P<named>降[压糖脂]药){_FROM_TO}"
        ),
        _dosed, vital=True,
    ),
    Rule(
        "medicine_regularly", "profile", each("次片粒颗服吃"),
        Expression(rf"^(?:我的?)?{_MEDICINE}(?:是|现在|目前|要|得|都)*(?:一[天日周]|每[天日周晚早]|早晚|隔天|饭[前后]|睡前)[^,，]{{0,10}}[次片粒颗服吃]"),
        _regularly, vital=True,
    ),
    Rule(
        "allergic_so_without", "preferences", each("敏"),
        Expression(r"^(?:因为)?我?(?:会|是|严重|重度|吃了|一吃就|真的|对它|对这个)*过敏(?:的|啊|呢|哦)?[。.!！~～]*$"),
        _allergic, vital=True,
    ),
)  # fmt: skip
"""All vital: read however little the judge thinks of the sentence."""
