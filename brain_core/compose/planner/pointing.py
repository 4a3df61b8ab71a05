"""What "that link", 「那份资料」 point at: one of the addresses given in the newest turns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain_core.text.words import terms

_SORTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"repo|library|project|package|plugin|framework|source code|codebase|仓库|库|项目|源码|代码"),
     re.compile(r"git(?:hub|lab|ee|ea)?\.|codeberg|bitbucket|sourcehut|pypi|npmjs|crates\.io")),
    (re.compile(r"paper|preprint|study|论文|文献"), re.compile(
        r"arxiv|doi\.org|acm\.|ieee|nature|pubmed|ncbi|openreview|biorxiv|cnki|paper|\.pdf")),
    (re.compile(r"thread|forum|discussion|帖|串|楼|论坛"), re.compile(
        r"/t/|thread|forum|reddit|bbs|communit|discuss|ptt|tieba|v2ex|news\.ycombinator")),
    (re.compile(r"video|talk|视频|录像|b站"), re.compile(r"youtu|vimeo|bilibili|video|/watch|v\.qq|douyin|\.mp4")),
    (re.compile(r"回答|知乎"), re.compile(r"zhihu|answer|quora|stackoverflow")),
    (re.compile(r"ptt"), re.compile(r"ptt")),
    (re.compile(r"微博"), re.compile(r"weibo")),
    (re.compile(r"公众号|推文|微信"), re.compile(r"weixin|mp\.")),
    (re.compile(r"spreadsheet|sheet|csv|excel|表"), re.compile(r"\.xlsx?|\.csv|sheet|\.ods")),
    (re.compile(r"slides?|deck|ppt|课件|幻灯"), re.compile(r"\.pptx?|slides|deck|keynote")),
    (re.compile(r"blog|post|article|文章|博客|推文"), re.compile(
        r"blog|/post|article|medium|substack|/p/|news|magazine|essay")),
    (re.compile(r"news|新闻|报道"), re.compile(r"news|/article|times|post|daily|xinwen")),
    (re.compile(r"pdf"), re.compile(r"\.pdf|arxiv")),
    (re.compile(r"wiki|维基|词条|百科"), re.compile(r"wiki|baike")),
    (re.compile(r"issue|ticket|pr\b|工单"), re.compile(r"issue|ticket|/pull|jira|/browse")),
    (re.compile(r"pric|价"), re.compile(r"pric|price|plans|价")),
    (re.compile(r"docs?\b|document|manual|guide|handbook|spec|文档|手册|指南|说明|规范"),
     re.compile(
         r"\bdocs?[./]|/doc|manual|guide|handbook|spec|wiki|\.docx?|\.md|\.pdf|help|kb|readme|notion|developer")),
    (re.compile(r"letter|e-?mail|[这那]封|信"), re.compile(r"letter|mail|\.eml|\.docx?")),
    (re.compile(r"quote|invoice|proposal|报价|发票"), re.compile(r"quot|invoic|offer|propos|报价|发票|\.xlsx?|\.pdf")),
    (re.compile(r"file|文件|稿"), re.compile(r"^file:|\.\w{2,4}$")),
    (re.compile(r"page|link|site|url|链接|网页|网址|网站|页面"), re.compile(r"^https?:")),
)  # fmt: skip
_FIRST = re.compile(r"\bfirst\b|\bformer\b|第一|前者|头一")
_SECOND = re.compile(r"\bsecond\b|\blatter\b|第二|后者")


def pointed_at(noun: str, message: str, refs: Sequence[str], texts: Sequence[str]) -> str:
    """Return the address that a message means by a noun: of its sort, else what was said of it, else the newest.

    refs: oldest first. texts: of the newest messages.
    """
    if not refs:
        return ""
    asked = set(terms(message))
    best, best_score = "", -1.0
    for place, ref in enumerate(refs):
        lower = ref.lower()
        score = sum(2.0 for named, address in _SORTS if named.search(noun) and address.search(lower))
        if score == 0 and noun.startswith("the "):
            continue  # "the roof report" is one that was never sent as often as not
        score += 0.5 * len(asked & set(terms(ref.replace("/", " "))))
        score += 0.25 * len(asked & set(terms(_told_of(ref, texts))))
        score += 4.0 * (
            (place == 0 and _FIRST.search(noun) is not None) or (place == 1 and _SECOND.search(noun) is not None)
        )
        score += 0.01 * place
        if score > best_score:
            best, best_score = ref, score
    return best


def _told_of(ref: str, texts: Sequence[str]) -> str:
    return " ".join(text.replace(ref, " ") for text in texts if ref in text)
