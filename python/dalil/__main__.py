"""`python -m dalil` is the command `dalil`."""

import sys

from dalil._program import main

sys.exit(main())
