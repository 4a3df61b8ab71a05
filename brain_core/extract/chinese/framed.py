"""Chinese words that a lead-in or a speaker's name says to be somebody else's, made up, or to be worked on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from brain_core.extract.chinese.profile import SURNAMES
from brain_core.extract.chinese.vocabulary import RELATIVE
from brain_core.text.expression import Expression

_TO_COLON = r"[^：:\n。！？]"
_FICTION = (
    r"(?:小说|故事|剧本(?!杀)|短剧|话剧|小品|相声|段子|台词|对白|独白|童话|寓言|诗歌?|歌词|作文|范文|例文|简历|履历|病例|病历|案例|"
    r"角色卡|角色设定|人设|人物设定|人物小传|征婚启事|个人陈述)"
)
_SOMEBODY = (
    rf"(?:{RELATIVE}|朋友|闺蜜|哥们|同[事学]|室友|邻居|客户|学生|学员|病人|患者|候选人|应聘者|求职者|面试者|亲戚|老板|领导|网友|用户|主角|"
    r"主人公|角色|嘉宾|[他她](?:们)?|某[人某])"
)
_LEAD_INS = Expression(
    rf"(?:^|(?<=[。！？\n]))(?:"
    rf"(?!{_TO_COLON}{{0,10}}我的){_TO_COLON}{{0,10}}{_FICTION}(?!的?(?:要求|规[矩则]|习惯|风格|偏好|注意|时))(?:的?(?:开头|结尾|片段|第.[章幕段]|内容|如下|如何))?(?:(?![写说填]){_TO_COLON}){{0,4}}[：:]|"
    rf"{_TO_COLON}{{0,8}}(?:模拟|扮演|假装|假扮|cosplay){_TO_COLON}{{0,20}}[：:]|"
    rf"\s*(?:以下|下面|这|那)?(?:就?是|为)?(?:我们?|一[个位名]|[这那][个位])?的?{_SOMEBODY}{_TO_COLON}{{0,4}}"
    rf"(?:情况|资料|信息|介绍|简介|背景|经历|病情|描述|自述|原话){_TO_COLON}{{0,6}}[：:])|"
    rf"(?:写|编|续写|扩写|改编|创作){_TO_COLON}{{0,12}}(?:{_FICTION}|开头|结尾|片段|自我介绍|人物)(?!的?(?:要求|规[矩则]|习惯|风格|偏好|注意|时)){_TO_COLON}{{0,10}}[：:]|"
    rf"(?:润色|修改|优化|美化|批改|点评|评价|解释|分析|续写|看看?|读|翻译)(?:一下|下)?(?:这|那|下面|以下|上面){_TO_COLON}{{0,16}}[：:]",
    re.IGNORECASE,
)
"""Before words that are made up, of somebody else, or to be worked on: all after them is framed."""

_ROLE = (
    rf"(?:{RELATIVE}|老师|学生|同学|医生|大夫|护士|患者|病人|客户|客服|同事|朋友|老板|领导|面试官|考官|候选人|记者|嘉宾|主持人|旁白|"
    r"男主|女主|[他她男女甲乙丙丁])"
)
_NAME = (
    rf"(?:[小老阿大][\u4e00-\u9fff]{{1,2}}|(?:{SURNAMES})[\u4e00-\u9fff]{{2}}|[\u4e00-\u9fff]{{1,2}}(?:老师|医生|总|经理)|"
    rf"{_ROLE})"
)
_NO_NAME = "小结|小计|小贴士|小提示|老家|老样子|老规矩|大概|大家|大意|大纲"
_ASIDE = r"(?:[（(][^）)\n]{1,12}[）)])?"
_LINE = Expression(
    rf"^[ \t]*(?!(?:{_NO_NAME})[：:（(]){_NAME}{_ASIDE}[：:][ \t]*(?=[“\"「]?(?:我|俺|咱|你|您))[^\n]*", re.MULTILINE
)
"""What somebody says, named before it: 小红：我对猫过敏."""


def framed(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, stop, name of the mask) of what stands after a lead-in, and of the lines of named speakers."""
    opening = _LEAD_INS.search(text)
    if opening is not None and opening.end() < len(text):
        yield opening.end(), len(text), "pasted"
    for line in _LINE.finditer(text):
        yield *line.span(), "transcript"
