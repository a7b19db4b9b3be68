import type { ClientCapabilities } from '@parley/protocol';
import { asRequest, errorOf, type Fields, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import { notProvoked, unmet } from '../../verdict.ts';
import type { Protocol } from '../../versions/protocol.ts';
import { wordsOf } from '../../versions/words.ts';
import type { Mark } from '../scenarios/scripted-agent.ts';

/** One start of the client under test, and what it did with the agent of one scenario. */
export interface ClientRun {
  readonly scenario: string;
  /** The version that the agent spoke. */
  readonly protocol: Protocol;
  /** Everything that crossed the wire between the two. */
  readonly frames: readonly Frame[];
  readonly marks: readonly Mark[];
  /** How the client ended by itself; undefined when it had to be stopped. */
  readonly exit?: { readonly code: number | null; readonly how: string };
  /** Whether the agent's process was still there some time after the client had ended. */
  readonly isAgentOrphaned: boolean;
  readonly stderr: string;
}

/** What the client sent. */
export function sentByClient({ frames }: ClientRun): readonly Frame[] {
  return frames.filter(({ from }) => from === 'client');
}

export function capabilitiesOf(run: ClientRun): ClientCapabilities {
  const initialize = sentByClient(run).find((frame) => asRequest(frame)?.method === 'initialize');
  const params = fieldsOf(asRequest(initialize ?? NO_FRAME)?.params);
  return fieldsOf(params[wordsOf(run.protocol).clientCapabilities]) as ClientCapabilities;
}

const NO_FRAME: Frame = { number: 0, atMs: 0, from: 'client', text: '', bytes: 0 };

/** The client's answer to what the scenario asked under this id; fails when there is none. */
export function answerTo(run: ClientRun, id: string | number): Frame {
  const asked = run.frames.find((frame) => frame.from === 'agent' && asRequest(frame)?.id === id);
  if (!asked) return notProvoked(explainSilence(run));
  const answer = sentByClient(run).find((frame) => isResponse(frame) && keyOfId(idOf(frame)) === keyOfId(id));
  return answer ?? unmet(`an answer to ${asRequest(asked)?.method}`, 'none');
}

export function resultOf(run: ClientRun, id: string | number): Fields {
  const answer = answerTo(run, id);
  const error = errorOf(answer);
  if (error) unmet('a result', `error ${error.code} ${JSON.stringify(error.message)}`);
  return fieldsOf(fieldsOf(answer.value).result);
}

/** The code of the error; fails when the answer is none, or has another code than these. */
export function requireErrorCode(run: ClientRun, id: string | number, codes: readonly number[] = []): void {
  const answer = answerTo(run, id);
  const code = errorOf(answer)?.code;
  const wanted = codes.length === 0 ? 'an error' : `error ${codes.join(' or ')}`;
  if (code === undefined || (codes.length > 0 && !codes.includes(code))) unmet(wanted, answer.text);
}

export function requestsOf(run: ClientRun, method: string): readonly Frame[] {
  return sentByClient(run).filter((frame) => asRequest(frame)?.method === method);
}

/** Why a scenario did not come to its point. */
export function explainSilence({ frames, exit, stderr }: ClientRun): string {
  const lines = stderr.trim().split('\n');
  const told = lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? '';
  const ending = exit ? ` The client ${exit.how}${told === '' ? '' : ` (stderr: ${told.slice(0, 200)})`}.` : '';
  if (frames.length === 0)
    return `Nothing came from the client, or the agent could not start. Is {agent} in its command?${ending}`;
  return `The client did not send session/prompt. Give it something to say with its own options, or with --input.${ending}`;
}
