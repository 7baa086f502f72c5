"""All of it: `make bench` installs the peers and runs this. With --limits only what has a limit, in half the time."""

import argparse
import sys

from benchmarks import bench_chat, bench_queue, bench_rows, bench_start
from benchmarks.report import Report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limits", action="store_true", help="measure only what has a limit")
    limits_only = parser.parse_args().limits
    report = Report()
    for benchmark in (bench_rows, bench_chat, bench_queue):
        benchmark.main(report, limits_only=limits_only)
    if not limits_only:
        bench_start.main(report)
    return report.status


if __name__ == "__main__":
    sys.exit(main())
