"""Runs my-grader as a harness does: python3 -m unittest"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unittest
from typing import Any

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "my_grader.py")


def run_grader(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, PROGRAM], input=text, capture_output=True, text=True, check=False)


def grade(**params: Any) -> dict[str, Any]:
    return json.loads(run_grader(json.dumps({"input": "Which city?", **params})).stdout)


class GraderTest(unittest.TestCase):
    def test_passes_what_has_all_of_the_hint(self) -> None:
        result = grade(output="It is Paris, France.", hint="paris france")
        self.assertEqual((result["pass"], result["score"]), (True, 1))

    def test_fails_what_lacks_some_of_it(self) -> None:
        result = grade(output="Paris", hint="paris france")
        self.assertEqual((result["pass"], result["score"]), (False, 0.5))
        self.assertIn("france", result["reasoning"])

    def test_says_in_words_what_it_cannot_read(self) -> None:
        finished = run_grader("no JSON")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("cannot be graded", finished.stderr)


if __name__ == "__main__":
    unittest.main()
