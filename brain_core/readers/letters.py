"""How much of a text is made of what its script is usually written with.

Hanzi are those of models/cedict-zh that stand most often in running text: they make up nine tenths of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_letters

_HANZI = (
    "是了不人在一有中国和大为这他上地我来年以到要时的出会生也道说们就学后行成下发于对子得自个之家可过作主你分用方"
    "长能等民着市而都业天经部工多面进动法公那里全去定事同高日其本然心前政还产开现如北起区与门所体力当理好机种外实"
    "重军又小么没从只关将新代此但制月建些化间见她平已手文明水看头内相由者无想度加南正合山西物安东各意通口名员表使"
    "因战样最点向情问被并及把城身院知性海立应位武入资原治任场教比数期利量常展系或提设老世级气省石路回特先美次汉务"
    "湖己社总电品江形领义统科别声首目至直活给女果今称更议变报话处导基便决计命三打少解权再才反题它司结接儿术规程保"
    "州什流书走改交太受达米听金委共管清色式元马运第两取组却信做族强队论京济选号记指很县放技真据师府职布类光眼即传"
    "带二神党白质历边界增完认何风空专广干集难河必条举农王联考住研近求死备持众皇较具花收始感叫争十笑古非史调兵造革"
    "际言每商件约官连游张台转则万车让属线黄亲准价究候四字该单往土极百几参思吃阳格功积朝器团根深斯士型告随华步精育"
    "构许快算像影火料办英装势整投包林象复需观值况且段怎亚划断帝周容语示速图热红校鱼望息觉除拉源推确编令律企病远半"
    "引越证服德满列均爱标境克群消居未请网失响虽派早球纪显存织离般施占曾跟击五初照创支置轻落客视低护节股足另食站识"
    "仅夫副铁故飞采按突乐防倒素案试切底营率易斗供续兴态围找音父似尔严杀费药席责模获终片查环须村青富致左负破演巴局"
    "洲若尽双弹察习注房细星独状密志验效修银血紧黑攻依胜弟乡适急域航写医钱赛优拿例项甚喜龙李罗批千害财维阶层仍艺抗"
    "呢旅养降微排伤刚审待右助刻印母哪绝招承限射央毛户略木怕陆谁差念策征词竟劳配预敌留压超酒范括吧孩著止愿善封男哥"
    "协惊继闻油执升卫乎景谈宫既监答辑久藏晚免苏味激讲冲镇辖温担材核坐阿洋送够背八皮充角脸简画苦船宣挥普筑友香章尚"
    "临乱草荆余岛坚宜错港欢益沙楼啊检判额夏礼销贵街波呼吗掌室退威奇良守典欧剧测昌邦读宝异树某含桥兰渐板否忙玉咱帮"
    "云架遗败份毒夜宗娘菜评练沉换园述险兄忽买希假鲜版扩停衣诉介毕础暗召肉顶尼录杨句授班归逐顺顾阵散烈秘露端脚货赶"
    "互块姑喝亮控剑痛脑输训穿矿茶卖饭丰襄洞吸督减刀刺春救福植禁曲杂牌追姓沿遇怪俄妈票登庭冷移献诗宁臣侧泽固座岁堂"
    "康田靠慢毫附警哈灵蒙楚旧妇概补季陵熟迎齐探载罢宽松罪爷序操稳付缺厂彩危甲末短针索折叶巨旁湾骨祖纳笔跑盘雄讨软"
    "永犯佛侵恩枪静培牛恶宋您疑析庆胡炮嘴疗翻脱繁野困博牙拥伸汽坏馆款钟岸盛伊误六寻币婚朱洪兼殿亡轮跳旗九束耳避姐"
    "闭烧歌私店舰诸戏圣雨借桃套绿径唐驻择烟夺谷掉仙奖纷健售岗吴遭奴午厚托酸涓遍横孙舞购访隐怒怀予播睡搜粮距址灭释"
    "坦雪拜锛墓纵虑促融麻顿逃殖混缓廷川染课迫伯透拔蛋岩抵敢替奔睛鄂抓阴迅潜陈哭竞休汇雷延损偏圆贸七络累码聚床坛谓"
    "页荣宪途仪握挂迹硬润智墙刑恐综虚妹朋享幸役呈措婆盖扬童奶纸弱拍屋粉尤刘库灯泛奉君谢谋爆撤丽震厅搞鼓泥秀曰脉猛"
    "签凡障鬼尊绍暴欲骑频钢胞"
)
_TRADITIONAL = (
    "瞭國為這來時齣會說們學後發髮於對個箇傢過妳長著業經麵進動裡還產開現區與門體當噹機種實軍麼沒從隻衹關將製間見頭"
    "內無東員錶戰樣點嚮問並併應資場數係繫設級氣迴漢務總電領義統別彆聲給稱議變報話處導決計權纔題結兒術規書達聽馬運"
    "兩組卻強彊隊論濟選號記縣據師職佈類傳帶黨質歷曆邊認風專耑廣乾幹難條舉農聯備眾較爭調際約連遊張臺檯颱轉則萬車讓"
    "屬線黃親準價該單極幾參喫陽積團糰隨華構搆許辦裝勢復複觀況亞劃斷週語圖熱紅魚覺確編遠證証滿愛標剋請網響雖紀顯織"
    "離佔擊創輕視護節識僅伕鐵飛採樂試營鬥續興態圍爾嚴殺費藥蓆責穫獲終環鬚須緻負侷跼盡儘雙彈習註細獨狀誌驗傚銀緊勝"
    "鄉適寫醫錢賽優項龍羅韆財維階層藝養傷剛審絕戶陸誰唸徵詞勞預敵壓範願協驚繼聞執陞衛談宮監輯蘇囌甦講衝沖鎮轄溫擔"
    "夠揹臉簡畫揮築臨亂荊餘島堅錯歡樓檢額禮銷貴嗎歐劇測讀寶異樹橋蘭漸闆偺幫雲遺敗孃評練換園險買鮮擴訴畢礎頂錄楊歸"
    "順顧陣祕腳貨趕塊劍腦輸訓礦賣飯豐減雜媽獻詩寧側澤歲靈濛矇舊婦補齊載罷寬鬆爺穩廠針摺葉灣納筆盤槃討軟彿槍鎗靜惡"
    "慶鬍砲療脫睏擁壞館鍾鐘誤尋幣硃輪閉燒艦諸戲聖綠徑駐擇煙奪穀獎紛崗吳託橫孫購訪隱懷糧滅釋縱慮頓緩課巖陰潛陳競匯"
    "彙損圓貿絡碼壇罈謂頁榮憲儀掛跡蹟潤牆綜虛倖蓋揚紙劉庫燈氾汎謝謀麗廳脈簽籤紹慾騎頻鋼絲訂壯廢觸績捲禦鞦屆蟲劑莊"
    "傾縮訊稅銅雞罵鋪峽貢搶搖淚閃煖擺純貼憑鬧殘輩貧闖奧奮飲徹贊讚緣勁烏貫詢毀燬遷歎嘆鹽膽閱覽彫賊夢遞鏡棄魯遼隸繞"
    "癥啟倫緒韓賞鍵慣譽紮襲儲濃厲樑詔趨鳥麥蕩盪薩窮躍災閣"
)
_KANJI = (
    "気経済図駅円対応関発売価値検査験続伝説読転両単営戦権様実録覧処変択械歩険労働総払込届歳満広県庁辺浜沢斎藤渡黒"
    "帰仮圧団囲圏壊増壁奥媛専岡峠崎嶋帯弁弐弾従徳恵悪戸拠拡挙挿掲携摂敷斉昼暁曜朗枠栃桜楽歓歴毎浄涙渋渓溌滝焼犠猫"
    "獣畑畳疎砕禅稲穂窓粋糸絵継緑縁縄縦繊翌聴脳腸臓芸荘蔵薬虫蛍覇触訳誉譲豊賛軽辞逓遅郵郷酔釈鉄鉱銭鋭閲陥隠隣霊頼"
    "顔顕駄騒髪鶏黙齢々"
)
_HANGUL = (
    "이다에의는로하을가고지서한은기으년대사시를리도인스일자해어그아들있나정과수것부보라전제원여만성주게장와니까면"
    "했동구상조거우미신안선비소말없문경생각모공었습녕요세할때명물방무국실간진관발바유오저마단외계화용중위당연되개"
    "회드프트야않네려행영된체심입분출양최음반결산강적달점남직업터던같더후히데르못내재본민두올학교합알란람른또먼많"
    "큰새몇처피포호불금월목토질확설치변작초통건번임약역예날집길운버법차타참표품평등배복열크클키식송속손살삼색석겠"
    "봐줘봤갔왔좋찾받쓰씨료추준축테파판필함향험현형환황활효획휴희김박윤철훈빈혜린쳤됐렸팀앞옆층밤낮술밥책값돈눈귀"
    "코몸쪽곳뒤옷컴퓨릴켜꺼깨끗싶겼줄벌써급님께록늘및"
)

_MARKS = frozenset("\u3000、。，．・：；？！“”‘’（）「」『』【】《》〈〉〔〕—…～〜％")
_FULL_WIDTH = frozenset(chr(ord(letter) + 0xFEE0) for letter in "0123456789" + ascii_letters)
_KANA = frozenset(map(chr, [*range(0x3041, 0x3094), *range(0x30A1, 0x30F5), 0x30FC]))
_CHINESE = frozenset(_HANZI + _TRADITIONAL) | _MARKS | _FULL_WIDTH
_JAPANESE = _CHINESE | frozenset(_KANJI) | _KANA
_KOREAN = frozenset(_HANGUL) | _MARKS | _FULL_WIDTH

_WORD = re.compile(r"[^\W\d_]+")
_CYRILLIC = re.compile(r"[А-яЁёІіЇїЄєҐґЎў]{2,}|[авикосуяіАВИКОСУЯ]")
_CYRILLIC_MARKS = frozenset("\u00a0«»“”„–—…№")
_WESTERN_WORD = re.compile(r"(?=.*[A-Za-z])[A-Za-zÀ-ÖØ-öø-ÿŒœŠšŽžŸ]+|[ÀÈÉÊÓàèéêóòúyñß]")
_FOREIGN_RUN = re.compile(r"[^\x00-\x7f]{3}")
_WESTERN_MARKS = frozenset("\u00a0€‚„…‘’“”–—¡¢£¥§©«®°±²³´·»¼½¾¿×")
_WITHOUT_KANA = 0.8
_ALL_CAPITALS = 0.5  # another Cyrillic charset has them as small letters, which is the likelier


def chinese(text: str) -> float:
    """Return the share of the letters beyond ASCII that are common in Chinese, 0..1."""
    return _common(text, _CHINESE)


def japanese(text: str) -> float:
    """Do so for Japanese, of which hardly a line is without kana."""
    return _common(text, _JAPANESE) * (1.0 if _KANA.intersection(text) else _WITHOUT_KANA)


def korean(text: str) -> float:
    """Do so for Korean."""
    return _common(text, _KOREAN)


def cyrillic(text: str) -> float:
    """Return the share of the letters beyond ASCII in words that are written as Cyrillic ones are, 0..1."""
    return _in_words(text, _cyrillic_word, _CYRILLIC_MARKS)


def western(text: str) -> float:
    """Return the share of the letters beyond ASCII in words or marks of western European languages, 0..1."""
    return _in_words(text, _western_word, _WESTERN_MARKS)


def _common(text: str, known: frozenset[str]) -> float:
    beyond = [letter for letter in text if letter > "\x7f"]
    return sum(letter in known for letter in beyond) / max(len(beyond), 1)


def _in_words(text: str, weigh: Callable[[str], float], marks: frozenset[str]) -> float:
    words = _WORD.findall(text)
    fitting = sum(weigh(word) * _beyond(word) for word in words) + sum(
        letter in marks for letter in _WORD.sub("", text)
    )
    return fitting / max(_beyond(text), 1)


def _cyrillic_word(word: str) -> float:
    if not _CYRILLIC.fullmatch(word):
        return 0.0
    if word[1:].islower() or len(word) == 1:
        return 1.0
    return _ALL_CAPITALS if word.isupper() else 0.0


def _western_word(word: str) -> float:
    fits = _WESTERN_WORD.fullmatch(word) and not _FOREIGN_RUN.search(word)
    return float(bool(fits) and (word[1:].islower() or word.isupper() or len(word) == 1))


def _beyond(text: str) -> int:
    return sum(letter > "\x7f" for letter in text)
