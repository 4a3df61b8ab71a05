"""`python -m benchmarks.quality.train_chinese`: make the Chinese words of the built-in table.

See benchmarks/notes/embedding.md.

Under a minute. Needs what `pip install -e '.[train]'` brings, which neither product nor tests do.
"""

import argparse
from pathlib import Path

from tokenizers import Tokenizer

from benchmarks.quality.static.lexicon import build_lexicon
from benchmarks.quality.static.parallel import memorybank_pairs, with_own_vectors, written_pairs
from brain_core.models.chinese import write_lexicon
from brain_core.models.static import BUILT_IN, StaticEmbedder
from brain_core.models.table import read_table

CHINESE = "../cedict-zh/words.safetensors"
"""The file of Chinese words, from the table's folder."""


def main() -> None:
    """Read the table, write the words."""
    chosen = _parser().parse_args()
    make_words(chosen.table, chosen.data)


def make_words(folder: Path, data: Path) -> None:
    """Write the Chinese words of the table in a folder. data: where memorybank_cn and memorybank_en are."""
    file = folder / CHINESE
    file.parent.mkdir(exist_ok=True)
    table = read_table(folder / "model.safetensors")
    lexicon = build_lexicon(Tokenizer.from_file(str(folder / "tokenizer.json")), table.vectors())
    write_lexicon(lexicon, file)  # glosses alone: with them the folder is one that can be read
    pairs = [*written_pairs(), *memorybank_pairs(data)]
    write_lexicon(with_own_vectors(lexicon, table, StaticEmbedder(folder), pairs), file)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality.train_chinese", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="memorybank_cn and memorybank_en")
    parser.add_argument("--table", type=Path, default=BUILT_IN, metavar="DIR", help="default: %(default)s")
    return parser


if __name__ == "__main__":
    main()
