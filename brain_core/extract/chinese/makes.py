"""What phones and cars are called, by which a sentence names one that says neither: 现在用的是小米14."""

from __future__ import annotations

import re

from brain_core.text.expression import Expression

_PHONES = (
    r"(?:iPhone|苹果|华为|荣耀|小米|红米|Redmi|OPPO|vivo|iQOO|一加|OnePlus|真我|realme|三星|Samsung|Galaxy|魅族|中兴|努比亚|联想|摩托罗拉|"
    r"索尼|Mate(?= ?\d)|Pixel|谷歌|诺基亚|Nokia)"
)
_CARS = (
    r"(?:大众|丰田|本田|日产|别克|福特|宝马|奔驰|奥迪|特斯拉|比亚迪|理想|蔚来|小鹏|问界|极氪|极狐|吉利|长安|哈弗|长城|奇瑞|五菱|红旗|沃尔沃|"
    r"保时捷|雷克萨斯|凯迪拉克|马自达|现代|起亚|标致|雪铁龙|斯柯达|路虎|捷豹|领克|腾势|传祺|埃安|零跑|哪吒|宝骏|坦克|岚图|智己|深蓝|名爵|荣威|"
    r"斯巴鲁|铃木|三菱|英菲尼迪|讴歌|林肯|吉普|Jeep|MINI|Model ?[3SXY]|"
    r"思域|雅阁|凯美瑞|卡罗拉|轩逸|朗逸|迈腾|帕萨特|汉兰达|途观|高尔夫|小米 ?(?:SU7|YU7))"
)
MAKES = rf"(?:{_CARS}|{_PHONES})"
"""How the name of one begins, in a pattern."""
_KINDS = (
    ("car", Expression(rf"{_CARS}[A-Za-z0-9\u4e00-\u9fff +-]{{0,8}}", re.IGNORECASE)),
    ("phone", Expression(rf"{_PHONES}(?:的?手机)?[ ]?[A-Za-z0-9 +]{{0,16}}(?:手机|折叠屏)?", re.IGNORECASE)),
)
_SOMETHING_ELSE = Expression(
    r"店|公司|展|销|厂|客服|电脑|笔记本|平板|手环|手表|耳机|电视|路由|音箱|云|pad|book|watch|pods|支付|系统|输入法|浏览器|充电|的",
    re.IGNORECASE,
)


def kind_of(name: str) -> str:
    """Return which fact a name of a make tells, "car" or "phone"; empty for anything else of the maker."""
    rest = name.replace("的手机", "")
    if _SOMETHING_ELSE.search(rest):
        return ""
    return next((kind for kind, pattern in _KINDS if pattern.fullmatch(name)), "")
