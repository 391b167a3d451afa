"""Checks every vector with a second implementation: `python3 spec/check`.

Each `spec/check/NAME.py` that has `check(folder)` is run on `spec/vectors/NAME`.
It gives the problems it found; none is fine. Ends with `N passed, N failed`.
"""

import importlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "vectors"


def main() -> int:
    sys.path.insert(0, str(HERE))
    checkers = find_checkers()
    folders = sorted(path.name for path in VECTORS.iterdir() if path.is_dir())
    failed = 0
    for name in sorted({*checkers, *folders}):
        problems = check(name, checkers.get(name))
        failed += bool(problems)
        files = sum(1 for _ in (VECTORS / name).glob("*.json"))
        print(f"{'FAILED' if problems else 'ok':6} {name} ({files} vectors)")
        for problem in problems:
            print(f"       {problem}")
    print(f"{len({*checkers, *folders}) - failed} passed, {failed} failed")
    return 1 if failed else 0


def find_checkers() -> dict:
    """The modules beside this one that can check vectors."""
    checkers = {}
    for path in sorted(HERE.glob("*.py")):
        if path.stem == "__main__":
            continue
        module = importlib.import_module(path.stem)
        if hasattr(module, "check"):
            checkers[path.stem] = module.check
    return checkers


def check(name: str, checker) -> list[str]:
    folder = VECTORS / name
    if checker is None:
        return [f"no checker: write spec/check/{name}.py with check(folder)"]
    if not any(folder.glob("*.json")):
        return [f"no vectors: {name}.py has nothing to check in spec/vectors/{name}"]
    try:
        return checker(folder)
    except Exception as error:  # A checker that stops is a finding; the others still run.
        return [f"the checker stopped: {type(error).__name__}: {error}"]


sys.exit(main())
