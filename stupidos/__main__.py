"""`python -m stupidos`, the same as the command `stupidos`."""

import sys

from stupidos.cli import main

if __name__ == "__main__":
    sys.exit(main())
