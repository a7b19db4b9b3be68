"""JSON-RPC 2.0 as the Agent Client Protocol has it on pipes: one line is one message."""

from __future__ import annotations

import json
import os
import threading
from typing import Any, BinaryIO, Callable

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_FOUND = -32002

# What `on_request` returns when it answers later, with `Connection.answer`.
LATER = object()


class RpcError(Exception):
    """Travels to the other side as it is."""

    def __init__(self, message: str, code: int = INTERNAL_ERROR, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data

    def as_json(self) -> dict[str, Any]:
        error: dict[str, Any] = {"code": self.code, "message": str(self)}
        return error if self.data is None else {**error, "data": self.data}


class Cancelled(Exception):
    """What was waited for is not wanted any more."""


class Closed(Exception):
    """The other side has left before it answered."""


class Connection:
    """Pairs requests with answers, in both directions. `serve` reads; any thread may write."""

    def __init__(
        self,
        source: BinaryIO,
        output: int,
        on_request: Callable[[Any, str, dict[str, Any]], Any],
        on_notification: Callable[[str, dict[str, Any]], None],
    ) -> None:
        self._source = source
        self._output = output
        self._on_request = on_request
        self._on_notification = on_notification
        self._questions: dict[int, _Question] = {}
        self._last_id = 0
        self._is_closed = False
        self._lock = threading.Lock()
        self._write_lock = threading.Lock()

    def serve(self) -> None:
        """Reads until the other side ends."""
        try:
            for line in self._source:
                if line.strip():
                    self._receive(line)
        finally:
            with self._lock:
                self._is_closed = True
                open_questions = list(self._questions.values())
            for question in open_questions:
                question.error = question.error or Closed()
                question.answered.set()

    def request(self, method: str, params: dict[str, Any], cancelled: threading.Event | None = None) -> Any:
        """Asks the other side and waits for its answer; raises Cancelled when the event is set before."""
        question = _Question()
        with self._lock:
            if self._is_closed:
                raise Closed
            self._last_id += 1
            request_id = self._last_id
            self._questions[request_id] = question
        try:
            self._send({"id": request_id, "method": method, "params": params})
            while not question.answered.wait(0.05 if cancelled else None):
                if cancelled and cancelled.is_set():
                    raise Cancelled
        finally:
            with self._lock:
                del self._questions[request_id]
        if question.error is not None:
            raise question.error
        return question.result

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def answer(self, request_id: Any, result: Any = None, error: RpcError | None = None) -> None:
        self._send({"id": request_id, "error": error.as_json()} if error else {"id": request_id, "result": result})

    def _receive(self, line: bytes) -> None:
        try:
            message = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            self.answer(None, error=RpcError("This line is no JSON.", PARSE_ERROR))
            return
        if not _is_message(message):
            self.answer(None, error=RpcError("This is no JSON-RPC 2.0 message.", INVALID_REQUEST))
        elif "method" not in message:
            self._take_answer(message)
        elif "id" in message:
            self._take_request(message["id"], message["method"], message.get("params", {}))
        elif isinstance(message.get("params", {}), dict):
            # A notification is never answered, also not a faulty or an unknown one.
            self._on_notification(message["method"], message.get("params", {}))

    def _take_request(self, request_id: Any, method: str, params: Any) -> None:
        try:
            if not isinstance(params, dict):
                raise RpcError(f"The params of {method} must be an object.", INVALID_PARAMS)
            result = self._on_request(request_id, method, params)
        except RpcError as error:
            self.answer(request_id, error=error)
        else:
            if result is not LATER:
                self.answer(request_id, result)

    def _take_answer(self, message: dict[str, Any]) -> None:
        request_id = message["id"]
        with self._lock:
            question = self._questions.get(request_id) if isinstance(request_id, int) else None
        if question is None:
            return  # nobody asked, or nobody waits any more
        error = message.get("error")
        if isinstance(error, dict):
            code = error.get("code")
            code = code if isinstance(code, int) else INTERNAL_ERROR
            question.error = RpcError(str(error.get("message")), code, error.get("data"))
        question.result = message.get("result")
        question.answered.set()

    def _send(self, message: dict[str, Any]) -> None:
        rest = (json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")) + "\n").encode("ascii")
        with self._write_lock:
            try:
                while rest:
                    rest = rest[os.write(self._output, rest) :]
            except BrokenPipeError:
                pass  # the other side has left; what is read from it ends next


class _Question:
    """A request of ours that waits for its answer."""

    def __init__(self) -> None:
        self.answered = threading.Event()
        self.result: Any = None
        self.error: Exception | None = None


def _is_message(message: Any) -> bool:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    request_id = message.get("id")
    if isinstance(request_id, bool) or not (request_id is None or isinstance(request_id, (str, int, float))):
        return False
    if "method" in message:
        return isinstance(message["method"], str)
    return "id" in message and ("result" in message or isinstance(message.get("error"), dict))


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")
