#!/usr/bin/env python3
"""my-grader: says whether an agent did what it should. Reads one JSON object on stdin, writes one on stdout.

In:  {"input": text or list of texts, "output": text, "hint"?: text, "trajectory"?: [step], "metadata"?: {}, "cwd"?: path}
Out: {"pass": true or false, "score": 0 to 1, "reasoning"?: text, "outcome"?: {}}
"""

from __future__ import annotations

import json
import sys
from typing import Any


def grade(params: dict[str, Any]) -> dict[str, Any]:
    """Passes when each word of the hint is in the output; the score is the share of words that are."""
    output = params["output"].lower()
    words = (params.get("hint") or "").lower().split()
    failed = [step.get("name", "a tool") for step in params.get("trajectory") or [] if step.get("status") == "failed"]
    if not words:
        return {"pass": output.strip() != "", "score": 1 if output.strip() else 0, "reasoning": "There is no hint."}
    missing = [word for word in words if word not in output]
    reasoning = f"Missing: {', '.join(missing)}." if missing else "All words of the hint are there."
    if failed:
        reasoning += f" Failed on the way: {', '.join(failed)}."
    return {"pass": not missing, "score": 1 - len(missing) / len(words), "reasoning": reasoning}


def main() -> int:
    try:
        params = json.load(sys.stdin)
        if not isinstance(params, dict) or not isinstance(params.get("output"), str):
            raise ValueError("an object with the text output is wanted")
    except ValueError as error:
        print(f"my-grader: this cannot be graded: {error}", file=sys.stderr)
        return 1
    json.dump(grade(params), sys.stdout)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
