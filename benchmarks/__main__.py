"""All of it: `make bench` installs the peers and runs this."""

import sys

from benchmarks import bench_chat, bench_queue, bench_rows, bench_start
from benchmarks.report import Report


def main() -> int:
    report = Report()
    for benchmark in (bench_rows, bench_chat, bench_queue, bench_start):
        benchmark.main(report)
    return report.status


if __name__ == "__main__":
    sys.exit(main())
