# Copyright 2026 the Tideline authors.
# SPDX-License-Identifier: Apache-2.0
"""The app's files themselves."""

import re

import version
from app import PASSWORDS


def test_the_worker_names_every_file_and_their_version():
    text = version.WORKER.read_text(encoding="utf-8")
    assert version.VERSION.search(text).group(1) == version.version(), "run script/pages --version"
    assert re.findall(r'"(.+?)"', version.FILES.search(text).group(1)) == version.paths()


def test_every_module_is_short_and_has_its_header():
    for path in [*version.paths(), "sw.js"]:
        lines = (version.APP / path).read_text(encoding="utf-8").splitlines()
        assert len(lines) < 300, path
        if path.endswith((".js", ".css")):
            assert "Copyright 2026 the Tideline authors." in lines[0], path
            assert "SPDX-License-Identifier: Apache-2.0" in lines[1], path


# covers: SB-S05 SB-F123
def test_nothing_reads_text_as_code_and_no_secret_is_in_a_file():
    for path in [*version.paths(), "sw.js"]:
        text = (version.APP / path).read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert word not in text, f"{word} in {path}"
        assert not any(password in text for password in PASSWORDS.values()), path


def test_the_page_has_no_script_or_style_of_its_own():
    text = (version.APP / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]* src=)", text) == []
    assert re.findall(r"<style|style=| on\w+=", text) == []
