#!/usr/bin/env python3
"""Peak memory of writing a live recording and of `ridge report` on it.

  report_memory.py WRITER RIDGE LAUNCHES

Prints both and the file's bytes per launch; exits 1 if they exceed what a million launches may take in all (300 MB to
report, 110 bytes each in the file), scaled to LAUNCHES. The writer may not grow with launches at all.
"""

import os
import subprocess
import sys
import tempfile

PROGRAM = 30e6  # of a report without launches
PER_LAUNCH = 270
WRITER = 30e6
FILE_PER_LAUNCH = 110


def peak(command, **options):
    """Bytes of physical memory that a command held at most."""
    process = subprocess.Popen(command, **options)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} ended with status {status}")
    return usage.ru_maxrss * 1024


def main():
    writer, ridge, launches = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "live.ridge")
        written = peak([writer, path, str(launches)])
        size = os.path.getsize(path)
        reported = peak([ridge, "report", path], stdout=subprocess.DEVNULL)
    print(f"{launches} launches: written with {written / 1e6:.0f} MB into {size / launches:.1f} bytes each, "
          f"reported with {reported / 1e6:.0f} MB")
    fits = written <= WRITER and size <= FILE_PER_LAUNCH * launches and reported <= PROGRAM + PER_LAUNCH * launches
    sys.exit(0 if fits else 1)


main()
