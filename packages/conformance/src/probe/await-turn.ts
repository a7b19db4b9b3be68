import type { ErrorObject } from '@parley/jsonrpc';
import { isRecord } from '@parley/jsonrpc/internal';
import { asUpdate, fieldsOf } from '../messages/message.ts';
import type { Frame } from '../messages/trace.ts';
import type { Answer } from './answer.ts';
import type { Probe } from './probe.ts';

/** A prompt that was sent, and what its end must be looked for after. */
export interface SentPrompt {
  readonly sessionId: string;
  /** The answer to the request. */
  readonly inserted: Promise<Answer>;
  /** How many frames there were before it. */
  readonly mark: number;
}

/** The end of a turn as an answer with its `stopReason`, in whatever way the version tells it. */
export function awaitTurn(probe: Probe, prompt: SentPrompt): Promise<Answer> {
  return probe.words.version === 1 ? prompt.inserted : awaitIdle(probe, prompt);
}

/** The idle state that belongs to a prompt: the first after its insertion, or the one that a quick turn reached before. */
async function awaitIdle(probe: Probe, { sessionId, inserted, mark }: SentPrompt): Promise<Answer> {
  const answer = await inserted;
  if (answer.kind !== 'result') return answer;
  const stateOf = (frame: Frame): unknown => {
    const update = asUpdate(frame);
    return update?.sessionId === sessionId && update.kind === 'state_update' ? update.update.state : undefined;
  };
  const before = probe.received(mark).filter((frame) => frame.number < answer.frame.number && stateOf(frame));
  const last = before.at(-1);
  const isOver = before.some((frame) => stateOf(frame) === 'running') && last && stateOf(last) === 'idle';
  const { turnMs } = probe.limits;
  const isIdle = (frame: Frame): boolean => stateOf(frame) === 'idle';
  const end = isOver ? last : await probe.waitFor(isIdle, { since: answer.frame.number, timeoutMs: turnMs });
  if (end) return readEnd(end, answer);
  if (!probe.wire.isEnded) return { kind: 'silence', afterMs: turnMs };
  const { how } = await probe.wire.ended;
  return { kind: 'ended', how, stderr: probe.wire.stderr };
}

/** The idle state as an answer: a turn that ended with an error is answered with it. */
function readEnd(frame: Frame, answer: Extract<Answer, { kind: 'result' }>): Answer {
  const { stopReason, error } = fieldsOf(asUpdate(frame)?.update);
  const { reader } = answer;
  const afterMs = answer.afterMs + Math.max(0, frame.atMs - answer.frame.atMs);
  if (stopReason === 'error') {
    const told = isRecord(error) ? (error as unknown as ErrorObject) : { code: -32603, message: 'stopReason "error"' };
    return { kind: 'error', error: told, frame, afterMs };
  }
  return { kind: 'result', result: { ...fieldsOf(answer.result), stopReason }, frame, afterMs, reader };
}
