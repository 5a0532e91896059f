"""The file layer (layer.c) for Python: building it, its controls, and the disk that its record describes."""

import collections
import ctypes
import pathlib
import shutil
import struct
import subprocess


def build_layer(folder):
    """Builds the file layer as a library, with the compiler that comes with Swift."""
    library = pathlib.Path(folder) / "layer.so"
    source = pathlib.Path(__file__).with_name("layer.c")
    subprocess.run(
        [shutil.which("clang") or "cc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"],
        check=True)
    return library


class Control(ctypes.Structure):
    """The layer's controls; see layer.c."""

    _fields_ = [("disk_full", ctypes.c_int32), ("sync_fails", ctypes.c_int32), ("read_only", ctypes.c_int32),
                ("forget_syncs", ctypes.c_int32), ("clock_offset", ctypes.c_int64),
                ("kill_at", ctypes.c_int64), ("requests", ctypes.c_int64),
                ("full_at", ctypes.c_int64)]


class Disk:
    """The folder as a disk would hold it: replayed from the record, up to a power failure."""

    HEAD = struct.Struct("=iiqq")

    def __init__(self, base, trace):
        self.base, self.raw = pathlib.Path(base), pathlib.Path(trace).read_bytes()

    def entries(self):
        at = 0
        while at + self.HEAD.size <= len(self.raw):
            kind, length, offset, size = self.HEAD.unpack_from(self.raw, at)
            at += self.HEAD.size
            end = at + length + (size if kind in (1, 5) else 0)
            if end > len(self.raw):
                return  # the power failed while this was recorded
            yield kind, self.raw[at:at + length].decode(), offset, self.raw[at + length:end]
            at = end

    def cut(self, target, random_source):
        """Writes the folder to `target`: everything synchronised, and a random part of the rest, in sectors of 512
        bytes."""
        shutil.copytree(self.base, target)
        pending = collections.defaultdict(list)
        for kind, name, offset, data in self.entries():
            path = pathlib.Path(target) / name
            if kind in (1, 2):
                pending[name].append((kind, offset, data))
            elif kind == 3:
                for change in pending.pop(name, []):
                    self.apply(path, *change)
                if not path.exists():
                    path.touch(0o600)
            elif kind == 4:
                pending.pop(name, None)
                path.unlink(missing_ok=True)
            elif kind == 5:
                pending[data.decode()] = pending.pop(name, [])
                if path.exists():
                    path.rename(pathlib.Path(target) / data.decode())
            elif kind == 6:
                path.touch(0o600)
        torn = 0
        for name, changes in pending.items():
            for kind, offset, data in changes:
                if kind == 2:
                    if random_source.random() < 0.5:
                        self.apply(pathlib.Path(target) / name, kind, offset, data)
                    continue
                for start in range(0, len(data), 512):
                    if random_source.random() < 0.5:
                        self.apply(pathlib.Path(target) / name, 1, offset + start, data[start:start + 512])
                    else:
                        torn += 1
        return torn

    @staticmethod
    def apply(path, kind, offset, data):
        path.touch(0o600)
        with open(path, "r+b") as file:
            if kind == 2:
                file.truncate(offset)
            else:
                file.seek(offset)
                file.write(data)
