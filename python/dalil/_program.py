"""The command `dalil`, and the process in which hostile files are read.

The extension module is the program. A hostile file is read by a child process: this file, run by
the same interpreter in isolated mode. It loads the module from the file beside it and nothing
else: no `site`, no `.pth` file, no folder of the caller can put another module in its place.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from os.path import abspath, dirname, exists, join
from typing import Protocol, cast

_NAME = "dalil._native"


class _Program(Protocol):
    def main(self, arguments: list[str]) -> int: ...
    def set_program(self, command: list[str]) -> None: ...


def command() -> list[str]:
    """Returns the command that starts this program again as a child process."""
    return [sys.executable, "-I", "-S", "-B", abspath(__file__)]


def main() -> int:
    """Runs the command in `sys.argv` and returns its exit code."""
    import signal

    # Python would only take note of Ctrl-C until the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    native = _native()
    native.set_program(command())
    return native.main(sys.argv[1:])


def _native() -> _Program:
    found = sys.modules.get(_NAME)
    if found is not None:
        return cast("_Program", found)
    for suffix in EXTENSION_SUFFIXES:
        path = join(dirname(abspath(__file__)), f"_native{suffix}")
        if exists(path):
            loader = ExtensionFileLoader(_NAME, path)
            spec = spec_from_loader(_NAME, loader)
            if spec is not None:
                module = module_from_spec(spec)
                loader.exec_module(module)
                return cast("_Program", module)
    raise SystemExit("expected the module `_native` beside this file, found none")


if __name__ == "__main__":
    sys.exit(main())
