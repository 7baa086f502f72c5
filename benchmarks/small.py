"""The small version, for CI: no peers to install, half a minute, and a limit counts as passed by half.

python -m benchmarks.small
"""

import sys

from benchmarks import bench_chat, bench_queue, bench_rows
from benchmarks.project import databases
from benchmarks.report import Report

SLACK = 1.5


def main() -> int:
    report = Report(SLACK)
    bench_rows.measure_rows(report, peers=False, rounds=5, rows=20)
    bench_chat.measure_waiting(report, customers=200)
    for database in databases():
        bench_queue.measure_claims(report, database, long=20_000)
    return report.status


if __name__ == "__main__":
    sys.exit(main())
