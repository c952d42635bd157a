"""`python -m stupidos`, the same as the command `stupidos`."""

import sys

from stupidos.cli import command

if __name__ == "__main__":
    sys.exit(command())
