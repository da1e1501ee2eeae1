# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The version in the app's service worker: browsers fetch the app anew when it changes."""

import hashlib
import os
import pathlib
import re
import sys

APP = pathlib.Path("Sources/TidelineServer/Web/apps/sixbookmarks")
COMMON = APP.parent / "common"
WORKER = APP / "sw.js"
VERSION = re.compile(r'const VERSION = "(\w*)";')
FILES = re.compile(r"const FILES = \[\n(.*?)\];", re.S)


def paths():
    """Every file of the app but the worker, and those that it has in common with Fishing, by name."""
    files = [path for folder in (APP, COMMON) for path in folder.rglob("*") if path.is_file()]
    found = [pathlib.Path(os.path.relpath(path, APP)).as_posix() for path in files]
    return sorted(path for path in found if path != "sw.js")


def version():
    """The first twelve digits of SHA-256 over the names and the files."""
    digest = hashlib.sha256()
    for path in paths():
        data = (APP / path).read_bytes()
        digest.update(f"{path} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:12]


def main():
    """Writes version and list."""
    text = WORKER.read_text(encoding="utf-8")
    listed = "".join(f'    "{path}",\n' for path in paths())
    text = FILES.sub(lambda _: "const FILES = [\n" + listed + "];", text)
    text = VERSION.sub(lambda _: f'const VERSION = "{version()}";', text)
    WORKER.write_text(text, encoding="utf-8")
    print(f"{WORKER}: {version()}")


if __name__ == "__main__":
    sys.exit(main())
