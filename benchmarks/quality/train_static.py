"""`python -m benchmarks.quality.train_static`: make the built-in table and its Chinese words.

See benchmarks/notes/embedding.md.

About half an hour on one core, nearly all of it the teacher's; its vectors are kept in --work, so that a second run
takes minutes. Needs what `pip install -e '.[train]'` brings, which neither product nor tests do.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from benchmarks.quality.static.fit import Vectors, count_tokens, fit, start_of
from benchmarks.quality.static.teacher import Teacher
from benchmarks.quality.static.texts import Origins, sample, sources
from benchmarks.quality.static.vocabulary import frequent_words, kept_pieces, make_tokenizer
from benchmarks.quality.train_chinese import CHINESE, make_words
from brain_core.models.table import quantise, write_table

_NAME = "static-minilm-384"
_PIECES = 128
_WORDS = 18_000
_PASSES = 10
_SEED = 0


def main() -> None:
    """Gather texts, ask the teacher, fit the table, write the files."""
    chosen = _parser().parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    teacher = Teacher(chosen.teacher, _PIECES)
    kinds = sources(Origins(chosen.data, chosen.wordnet, chosen.packages, chosen.manuals))
    every = {name: set(kind.texts()) for name, kind in kinds.items()}
    known = teacher.tokenizer.get_vocab()
    pieces, words = kept_pieces(known), frequent_words(every, known, _WORDS)
    texts = [text for name, kind in kinds.items() for text in sample(every[name], kind.most) * kind.times]
    targets = _cached(chosen.work / "texts.npz", texts, teacher)
    tokenizer = make_tokenizer(chosen.teacher, pieces + words)
    counts = count_tokens(tokenizer, texts)
    alone = np.concatenate([teacher.embed_tokens([known[one] for one in pieces]), teacher.embed(words)])
    alone[tokenizer.token_to_id("[UNK]")] = 0.0
    folder = chosen.out / _NAME
    _write(fit(start_of(alone, counts), counts, targets, _PASSES, _SEED), tokenizer, folder)
    make_words(folder, chosen.data)


def _write(table: Vectors, tokenizer: Tokenizer, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    write_table(quantise(table), folder / "model.safetensors")
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "config.json").write_text(json.dumps({"chinese": CHINESE}) + "\n", "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.train_static", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="realmem, memorybank and cosqa")
    parser.add_argument("--teacher", type=Path, required=True, metavar="DIR", help="all-MiniLM-L6-v2 in ONNX")
    parser.add_argument("--wordnet", type=Path, required=True, metavar="DIR", help="data.noun … of WordNet 3.0")
    parser.add_argument("--packages", type=Path, required=True, metavar="FILE", help="output of apt-cache dumpavail")
    parser.add_argument("--manuals", type=Path, default=Path("/usr/share/man"), metavar="DIR", help="man1 … man8")
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="where the teacher's vectors are kept")
    parser.add_argument(
        "--out", type=Path, default=Path("brain_core/models"), metavar="DIR", help="default: %(default)s"
    )
    return parser


def _cached(file: Path, texts: list[str], teacher: Teacher) -> Vectors:
    """Return the teacher's vectors of texts, float16[n, 384], asking only for those that the file lacks."""
    names = [hashlib.sha256(text.encode()).hexdigest()[:32] for text in texts]
    known: dict[str, Vectors] = {}
    if file.exists():
        stored = np.load(file)
        known = dict(zip(stored["names"].tolist(), stored["vectors"], strict=True))
    new = {name: text for name, text in zip(names, texts, strict=True) if name not in known}
    known |= zip(new, teacher.embed(list(new.values())).astype(np.float16), strict=True)
    np.savez(file, names=np.array(list(known)), vectors=np.stack(list(known.values())))
    return np.stack([known[name] for name in names])


if __name__ == "__main__":
    main()
