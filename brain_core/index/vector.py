"""The vector index. The only file that knows FAISS."""

from __future__ import annotations

import math
from concurrent.futures import Future, ThreadPoolExecutor

import faiss
import numpy as np
from numpy.typing import NDArray

from brain_core.kernels.vectors import cosines, expand, read, write

CLUSTERED_FROM = 5_000
"""Rows from which clusters are searched instead of all rows: from there on they are faster than a scan."""

_CLUSTERS = 128  # for CLUSTERED_FROM rows; doubled whenever there are four times as many
_GROWTH = 4
_ROUNDS = 10  # of k-means
_SAMPLE = 64  # rows per cluster that k-means looks at
_PROBES = 4.5  # times the square root of the number of clusters: benchmarks/core measures the recall that this gives
_LOOKED_AT = 16_384  # as many allowed rows are looked at one by one, wherever they stand
_CAUGHT_UP = 256
_SPARE = 1_024
_SAME_PLACE = 0.5  # cosine of a replaced vector to its old one, below which it belongs elsewhere
_STRAYS = 0.1  # share of all rows
_ASSIGNED = 16  # FAISS multiplies fewer than 20 one by one: the same bits in batches of every size


def _alone() -> None:
    """Tell FAISS to start no threads. OpenMP keeps that for each calling thread.

    Calls of many threads run side by side; threads inside a call would only fight over the cores.
    """
    faiss.omp_set_num_threads(1)


_builder = ThreadPoolExecutor(1, thread_name_prefix="clusters", initializer=_alone)

Halves = NDArray[np.uint16]
Found = tuple[NDArray[np.int32], NDArray[np.float32]]


class VectorIndex:
    """Unit vectors by row, kept once, as half floats.

    Few rows are scanned exactly; many stand in clusters (FAISS IVF), of which the nearest are scanned, made in the
    background while the scan still answers. Clusters depend only on the rows and their order.
    """

    def __init__(self, dimension: int, clustered_from: int = CLUSTERED_FROM) -> None:
        self._dimension = dimension
        self._clustered_from = self._next_size = clustered_from
        self._strays = 0
        self._rows: _Flat | _Clusters = _Flat(_new_flat(dimension))
        self._building: Future[_Clusters] | None = None

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def clusters(self) -> int:
        """Return how many clusters there are; 0 while all rows are scanned."""
        return self._rows.clusters

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return len(self) * self._dimension * 2 + self._rows.extra_bytes

    def add(self, vectors: NDArray[np.float16]) -> None:
        """Append float16[m, dimension] as the next rows."""
        _alone()
        self._rows.append(vectors.astype(np.float32))
        self._adopt()
        self._grow()

    def replace(self, rows: NDArray[np.int32], vectors: NDArray[np.float16]) -> None:
        """Give rows other vectors. They keep their clusters until so many lie elsewhere that these are made anew."""
        near = np.sum(self.vectors(rows) * vectors.astype(np.float32), axis=1) >= _SAME_PLACE
        write(self._rows.addresses(rows), np.ascontiguousarray(vectors).view(np.uint16))
        self._strays += int(np.count_nonzero(~near))
        if self._strays > _STRAYS * len(self) and (self.clusters or self._building is not None):
            self._start_anew()

    def settle(self) -> None:
        """Wait until clusters that are being made answer."""
        while self._building is not None:
            self._building.result()
            self._adopt()

    def search(self, query: NDArray[np.float32], k: int, allowed: NDArray[np.uint8], count: int) -> Found:
        """Return (rows int32[≤ k], cosines float32[≤ k]), best first, the lower row among equals.

        query: float32[dimension], unit length. allowed: uint8[n], 0 leaves a row out of the search. count: how many are
        allowed. Exact, unless there are clusters and more rows are allowed than are worth a look each.
        """
        k = min(k, count)
        if k == 0:
            return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32)
        _alone()
        self._adopt()
        if count < len(self):
            rows = self._allowed(query, allowed, count)
            return _best(rows, self.cosines(rows, query), k)
        parameters = self._rows.parameters()
        # FAISS keeps any of those that share the last place: ask for more until all are there, and the lower rows win.
        wide = k + 1
        while True:
            near, places = self._rows.index.search(query[None, :], min(wide, count), params=parameters)
            found = (places[0] >= 0) & (near[0] != 0)
            rows, scores = places[0][found], near[0][found]
            if wide >= count or places[0][-1] < 0 or (len(rows) > k and scores[-1] < scores[k - 1]):
                return _best(rows, scores, k)
            wide *= 2

    def _allowed(self, query: NDArray[np.float32], allowed: NDArray[np.uint8], count: int) -> NDArray[np.int32]:
        mask = allowed.view(bool)
        if count > _LOOKED_AT:
            mask = mask & self._rows.near(query, count)
        return np.flatnonzero(mask).astype(np.int32)

    def cosines(self, rows: NDArray[np.int32], query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return float32[len(rows)], the cosine of each row with a query float32[dimension]."""
        return cosines(self._rows.addresses(rows), query)

    def vectors(self, rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return float32[len(rows), dimension]."""
        return expand(self._rows.addresses(rows), self._dimension)

    def dump(self) -> NDArray[np.float16]:
        """Return a copy of all vectors by row: float16[n, dimension]."""
        return self._read(0, len(self)).view(np.float16)

    def to_bytes(self) -> NDArray[np.uint8]:
        """Return everything, clusters too, for a snapshot: uint8[bytes]."""
        packed: NDArray[np.uint8] = faiss.serialize_index(self._rows.index)
        return packed

    @staticmethod
    def from_bytes(packed: NDArray[np.uint8], dimension: int) -> VectorIndex:
        """Make an index of what `to_bytes` returned. Raises ValueError if it is not such."""
        try:
            loaded = faiss.deserialize_index(packed)
        except (RuntimeError, MemoryError) as error:
            raise ValueError(f"FAISS cannot read it: {error}") from error
        if loaded.d != dimension:
            raise ValueError(f"vectors have dimension {loaded.d}, not {dimension}")
        index = VectorIndex(dimension)
        if isinstance(loaded, faiss.IndexIVFScalarQuantizer):
            index._take(_Clusters(loaded))
        elif isinstance(loaded, faiss.IndexScalarQuantizer):
            index._take(_Flat(loaded))
        else:
            raise ValueError(f"vectors stand in a {type(loaded).__name__}")  # noqa: TRY004  what a snapshot raises
        return index

    def _read(self, start: int, stop: int) -> Halves:
        return read(self._rows.addresses(np.arange(start, stop)), self._dimension)

    def _grow(self) -> None:
        """Have clusters made of the first rows if there are enough of them for more clusters."""
        if self._building is not None or len(self) < self._next_size:
            return
        while len(self) >= self._next_size * _GROWTH:
            self._next_size *= _GROWTH
        first = self._read(0, self._next_size)
        self._building = _builder.submit(_Clusters.of, first, _clusters_for(self._next_size))

    def _start_anew(self) -> None:
        """Scan all rows again until new clusters are made of the vectors as they are now."""
        flat = _Flat(_new_flat(self._dimension))
        if len(self):
            flat.append(self.dump().astype(np.float32))
        self._rows, self._building, self._strays = flat, None, 0
        self._next_size = self._clustered_from
        self._grow()

    def _adopt(self) -> None:
        """Take over clusters that are ready, once no more than a few rows are missing from them."""
        if self._building is None or not self._building.done():
            return
        made = self._building.result()
        missing = self._read(len(made), len(self))
        if len(missing) > _CAUGHT_UP:
            self._building = _builder.submit(made.extended, missing)
            return
        self._building = None
        made.extended(missing)
        now = self._read(0, len(self))
        self._take(made)
        write(made.addresses(np.arange(len(made))), now)  # some were replaced while the clusters were being made
        self._grow()

    def _take(self, rows: _Flat | _Clusters) -> None:
        self._rows = rows
        while self.clusters >= _clusters_for(self._next_size):
            self._next_size *= _GROWTH


class _Flat:
    """All rows one after the other."""

    clusters = 0
    extra_bytes = 0

    def __init__(self, index: faiss.IndexScalarQuantizer) -> None:
        self.index = index
        self._look()

    def __len__(self) -> int:
        return self._count

    def append(self, full: NDArray[np.float32]) -> None:
        self.index.add(full)
        self._look()

    def addresses(self, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return where the vectors of rows stand, valid until the next append. Raises IndexError."""
        _check_rows(rows, self._count)
        return rows.astype(np.int64) * (2 * self.index.d) + self._start

    def parameters(self) -> faiss.SearchParameters:
        return faiss.SearchParameters()

    def near(self, _query: NDArray[np.float32], _count: int) -> NDArray[np.bool_]:
        return np.ones(self._count, dtype=bool)

    def _look(self) -> None:
        # FAISS moves the vectors as they grow.
        self._count = int(self.index.ntotal)
        self._start = int(self.index.codes.data()) if self._count else 0


class _Clusters:
    """Rows in lists by the nearest of some centres."""

    def __init__(self, index: faiss.IndexIVFScalarQuantizer) -> None:
        assert index.invlists is not None
        self.index, self._lists = index, index.invlists
        self._count = int(index.ntotal)
        self._list = np.zeros(self._count + _SPARE, dtype=np.int32)
        self._offset = np.zeros(self._count + _SPARE, dtype=np.int32)
        self._starts = np.zeros(index.nlist, dtype=np.int64)
        for number in range(index.nlist):
            size = self._lists.list_size(number)
            if size:
                rows = faiss.rev_swig_ptr(self._lists.get_ids(number), size)
                self._list[rows] = number
                self._offset[rows] = np.arange(size)
                self._look(number)

    @staticmethod
    def of(first: Halves, clusters: int) -> _Clusters:
        """Make clusters of the first rows."""
        full = first.view(np.float16).astype(np.float32)
        dimension = full.shape[1]
        centres = faiss.IndexFlatIP(dimension)
        half = faiss.ScalarQuantizer.QT_fp16
        index = faiss.IndexIVFScalarQuantizer(centres, dimension, clusters, half, faiss.METRIC_INNER_PRODUCT, False)
        index.cp.niter, index.cp.max_points_per_centroid, index.cp.spherical = _ROUNDS, _SAMPLE, True
        index.train(full)
        return _Clusters(index).extended(first)

    def __len__(self) -> int:
        return self._count

    @property
    def clusters(self) -> int:
        return int(self.index.nlist)

    @property
    def extra_bytes(self) -> int:
        """Bytes beside the vectors: FAISS keeps an id of 8 for each."""
        return 8 * self._count + 8 * len(self._list) + 8 * len(self._starts) + 4 * self.index.d * self.clusters

    def extended(self, missing: Halves) -> _Clusters:
        """Append rows and return self."""
        for start in range(0, len(missing), _CAUGHT_UP):
            self.append(missing[start : start + _CAUGHT_UP].view(np.float16).astype(np.float32))
        return self

    def append(self, full: NDArray[np.float32]) -> None:
        pieces = (full[start : start + _ASSIGNED] for start in range(0, len(full), _ASSIGNED))
        lists = np.concatenate([self.index.quantizer.search(piece, 1)[1][:, 0] for piece in pieces])
        first, last = self._count, self._count + len(full)
        rows = np.arange(first, last)
        sizes = {number: self._lists.list_size(number) for number in set(lists.tolist())}
        self.index.add_core(len(full), faiss.swig_ptr(full), faiss.swig_ptr(rows), faiss.swig_ptr(lists))
        self._reserve(last)
        self._list[first:last] = lists
        for row, number in enumerate(lists.tolist(), start=first):
            self._offset[row] = sizes[number]
            sizes[number] += 1
        self._count = last
        for number in sizes:
            self._look(number)

    def _reserve(self, size: int) -> None:
        if size > len(self._list):
            spare = np.zeros(size - len(self._list) + size // 4 + _SPARE, dtype=np.int32)
            self._list, self._offset = np.concatenate([self._list, spare]), np.concatenate([self._offset, spare])

    def addresses(self, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return where the vectors of rows stand, valid until the next append. Raises IndexError."""
        _check_rows(rows, self._count)
        found: NDArray[np.int64] = self._starts[self._list[rows]]
        found += self._offset[rows].astype(np.int64) * (2 * self.index.d)
        return found

    def parameters(self) -> faiss.SearchParameters:
        return faiss.SearchParametersIVF(nprobe=self._probes(len(self)))  # type: ignore[call-arg]

    def near(self, query: NDArray[np.float32], count: int) -> NDArray[np.bool_]:
        """Return bool[n]: the rows of as many clusters as a search among `count` allowed rows needs."""
        _, nearest = self.index.quantizer.search(query[None, :], self._probes(count))
        probed = np.zeros(self.clusters, dtype=bool)
        probed[nearest[0]] = True
        return probed[self._list[: self._count]]

    def _probes(self, count: int) -> int:
        # The fewer rows are allowed, the farther the best of them lie.
        return min(self.clusters, math.ceil(_PROBES * math.sqrt(self.clusters) * self._count / count))

    def _look(self, number: int) -> None:
        self._starts[number] = int(self._lists.get_codes(number))


def _new_flat(dimension: int) -> faiss.IndexScalarQuantizer:
    return faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)


def _clusters_for(size: int) -> int:
    return int(_CLUSTERS * 2 ** round(math.log(max(size / CLUSTERED_FROM, 1), _GROWTH)))


def _check_rows(rows: NDArray[np.integer], count: int) -> None:
    if len(rows) and not 0 <= int(rows.min()) <= int(rows.max()) < count:
        raise IndexError(f"a row is not in 0..{count - 1}")


def _best(rows: NDArray[np.integer], scores: NDArray[np.float32], k: int) -> Found:
    """Return the k best, the lower row among equals; rows without a vector, whose cosine is 0, are not found."""
    rows, scores = rows[scores != 0], scores[scores != 0]
    if len(rows) > 2 * k:
        kept = scores >= np.partition(scores, len(scores) - k)[len(scores) - k]
        rows, scores = rows[kept], scores[kept]
    order = np.lexsort((rows, -scores))[:k]
    return rows[order].astype(np.int32), scores[order]
