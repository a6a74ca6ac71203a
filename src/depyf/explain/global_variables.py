"""``data``: where the block of :class:`depyf.prepare_debug` that was entered last writes to."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Mapping

from depyf.capture.prepare import newest_directory
from depyf.capture.seams import KERNEL_CACHE


def _load_by_key_path() -> Any:
    cache = KERNEL_CACHE.find()
    return None if cache is None else cache.load_by_key_path


_VALUES: Dict[str, Callable[[], Any]] = {
    "dump_src_dir": newest_directory,
    "is_inside_prepare_debug": lambda: newest_directory() is not None,
    "unpatched_load_by_key_path": _load_by_key_path,
}


class _Data(Mapping[str, Any]):
    """Read only, and true at the moment of reading."""

    def __getitem__(self, name: str) -> Any:
        return _VALUES[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(_VALUES)

    def __len__(self) -> int:
        return len(_VALUES)


data = _Data()
