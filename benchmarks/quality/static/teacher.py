"""The teacher: all-MiniLM-L6-v2 through ONNX Runtime, on one core."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from tqdm import tqdm

Vectors = NDArray[np.float32]

_PIECES_PER_BATCH = 2048


class Teacher:
    """Gives texts the vectors that the table is to imitate. `pieces`: where longer texts are cut."""

    def __init__(self, folder: Path, pieces: int) -> None:
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(pieces)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        with tempfile.TemporaryDirectory() as scratch:
            quantised = Path(scratch) / "int8.onnx"
            quantize_dynamic(folder / "model.onnx", quantised, per_channel=True, weight_type=QuantType.QInt8)
            self._graph = onnxruntime.InferenceSession(str(quantised), options)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors float32[n, 384]."""
        return self._embed([one.ids for one in self.tokenizer.encode_batch(list(texts))])

    def embed_tokens(self, tokens: Sequence[int]) -> Vectors:
        """Return what each token means alone, float32[n, 384]."""
        start, end = self.tokenizer.encode("").ids
        return self._embed([[start, token, end] for token in tokens])

    def _embed(self, rows: list[list[int]]) -> Vectors:
        """Run rows of token ids; those of like length share a batch."""
        order = sorted(range(len(rows)), key=lambda row: len(rows[row]))
        vectors = np.empty((len(rows), 384), dtype=np.float32)
        with tqdm(total=len(rows), unit="text", disable=None) as bar:
            start = 0
            while start < len(order):
                stop = start + 1
                while stop < len(order) and (stop + 1 - start) * len(rows[order[stop]]) <= _PIECES_PER_BATCH:
                    stop += 1
                batch = order[start:stop]
                vectors[batch] = self._run([rows[row] for row in batch])
                bar.update(len(batch))
                start = stop
        return vectors

    def _run(self, rows: list[list[int]]) -> Vectors:
        longest = max(map(len, rows))
        ids = np.zeros((len(rows), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        vectors: Vectors = self._graph.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        return vectors
