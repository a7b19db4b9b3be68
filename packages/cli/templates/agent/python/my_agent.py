#!/usr/bin/env python3
"""my-agent: an agent that any ACP client can start. Write here what happens in a turn; acp_agent.py does the rest."""

from __future__ import annotations

from acp_agent import Agent
from acp_connection import RpcError
from acp_turn import Turn


def answer(turn: Turn) -> str:
    """Runs one turn and returns its stop reason."""
    if turn.command == "count":
        return count(turn)
    if turn.command == "wait":
        turn.say("Waiting. Cancel me!")
        turn.sleep(float(turn.argument or 10))
        return "end_turn"
    turn.say("You said: ")
    turn.say(turn.text)
    return "end_turn"


def count(turn: Turn) -> str:
    """Shows a tool call, asks before it reads, and reads through the client where the client serves files."""
    path = turn.argument or "README.md"
    call = turn.tool_call(f"Count the words of {path}", kind="read", paths=[path])
    if not turn.ask_permission(call, f"Read {path}"):
        call.fail("Not allowed.")
        turn.say("Then I leave it alone.")
        return "end_turn"
    call.start()
    try:
        words = len(turn.read_file(path).split())
    except (OSError, UnicodeDecodeError, RpcError) as error:
        call.fail(str(error))
        turn.say(f"I could not read {path}.")
        return "end_turn"
    call.complete(f"{words} words")
    turn.say(f"{path} has {words} words.")
    return "end_turn"


def main() -> None:
    Agent(
        name="my-agent",
        version="0.1.0",
        on_prompt=answer,
        commands={
            "count": {"description": "Count the words of a file", "input": {"hint": "path"}},
            "wait": {"description": "Wait, to try how a turn is cancelled", "input": {"hint": "seconds"}},
        },
    ).serve()


if __name__ == "__main__":
    main()
