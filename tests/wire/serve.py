"""`python -m tests.wire.serve`: the scripted model and every stream case on a port, without Django.

Prints its origin (`http://127.0.0.1:PORT`) as its first line, then serves until SIGTERM.
"""

from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

from backoffice.llm.scripted.server import Address
from backoffice.llm.scripted.serving import add_arguments, run_server
from tests.wire.player import write_captures


def announce(address: Address) -> None:
    print(address.base_url.removesuffix("/v1"), flush=True)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    add_arguments(parser)
    with TemporaryDirectory() as folder:
        write_captures(Path(folder))
        run_server({**vars(parser.parse_args()), "cases": Path(folder)}, announce)


if __name__ == "__main__":
    main()
