"""Every figure, as ``name: value``: ``make bench`` runs this. Times are of this machine; ratios are within one run."""

import importlib
import pkgutil
import sys

import bench


def main() -> None:
    """Run every benchmark, or those named on the command line, and print their figures."""
    wanted = sys.argv[1:]
    modules = sorted(entry.name for entry in pkgutil.iter_modules(bench.__path__) if entry.name.startswith("bench_"))
    for module in modules:
        if wanted and module.removeprefix("bench_") not in wanted:
            continue
        print(f"# {module}", flush=True)
        for name, value in importlib.import_module(f"bench.{module}").figures().items():
            print(f"{name}: {value:.6g}", flush=True)


if __name__ == "__main__":
    main()
