import type { RequestId, Response } from '@parley/jsonrpc';
import { type Fields, isRecord, without } from '../../fields.ts';
import { askOwnSide } from '../ask-own-side.ts';
import { answer, nothing, type Outcome, toPeer, toUs } from '../outcome.ts';
import { DIALECT_LIMITS, type DialectState, remember } from '../state.ts';
import { writeExitCode } from '../write/exit-code.ts';

/** The longest wait that a timer can hold. */
const MAX_TIMEOUT_MS = 0x7fff_ffff;

/** S4:794 waits for a process no longer than `timeout`; canonically the waiting has no end of its own. */
export function withoutTimeout(params: Fields): Fields {
  return without(params, 'timeout');
}

/** Lets the process run on when the time is over, and answers with what it has said so far. */
export function waitNoLonger(outcome: Outcome, id: RequestId, params: Fields, state: DialectState): Outcome {
  const { timeout } = params;
  if (typeof timeout !== 'number' || !(timeout >= 0 && timeout <= MAX_TIMEOUT_MS)) return outcome;
  const request = state.received.get(id);
  const run = (): Outcome => {
    if (state.received.get(id) !== request) return nothing;
    // What our side answers to the wait after this is nobody's business any more.
    state.received.delete(id);
    remember(state.ownRequests, id, () => nothing, DIALECT_LIMITS.maxPendingRequests);
    const { sessionId, terminalId } = params;
    const output = askOwnSide(state, { method: 'terminal/output', params: { sessionId, terminalId } }, (response) =>
      toPeer(answer(id, soFar(response))),
    );
    return toUs({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: id } }, output);
  };
  return { ...outcome, later: { afterMs: timeout, run } };
}

function soFar(response: Response): Fields {
  const result = 'result' in response && isRecord(response.result) ? response.result : {};
  return { output: typeof result.output === 'string' ? result.output : '', exitCode: writeExitCode(result.exitStatus) };
}
