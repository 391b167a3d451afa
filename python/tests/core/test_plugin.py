"""The pytest plugin, in a run of its own."""

from __future__ import annotations

import pytest
from conftest import LEAVE, WRONG


def test_the_fixture_is_there_and_fails_with_the_ledger(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
        from pathlib import Path

        def test_good(assert_supported):
            assert assert_supported({LEAVE!r}, [{LEAVE!r}]).is_supported

        def test_bad(assert_supported):
            assert_supported({WRONG!r}, [{LEAVE!r}])

        def test_lenient(assert_supported):
            assert_supported({WRONG!r}, [{LEAVE!r}], min_coverage=0, max_contradicted_critical=1)

        def test_files(assert_supported, tmp_path):
            (tmp_path / "a.md").write_text({LEAVE!r})
            assert_supported({LEAVE!r}, tmp_path)

        def test_a_text_is_neither(assert_supported):
            assert_supported({LEAVE!r}, {LEAVE!r})
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(["*the documents do not support the answer: fail*", "*Contradicted*"])
    result.stdout.fnmatch_lines(["*expected a `Path` or a list of texts, found a text*"])
