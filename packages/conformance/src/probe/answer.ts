import type { ErrorObject } from '@parley/jsonrpc';
import { type AgentRequests, type ClientRequests, type ResultOf, ValidationError } from '@parley/protocol';
import type { Frame } from '../messages/trace.ts';
import { unmet, Verdict } from '../verdict.ts';

/** What became of a request. */
export type Answer =
  | {
      readonly kind: 'result';
      readonly result: unknown;
      readonly frame: Frame;
      readonly afterMs: number;
      readonly reader: ResultReader;
    }
  | { readonly kind: 'error'; readonly error: ErrorObject; readonly frame: Frame; readonly afterMs: number }
  | { readonly kind: 'silence'; readonly afterMs: number }
  | { readonly kind: 'ended'; readonly how: string; readonly stderr: string };

/** Reads a result by the schema of the version that is spoken. */
export interface ResultReader {
  readResult(method: string, result: unknown): unknown;
}

/** What ACP answers when a person must log in first. */
export const AUTH_REQUIRED = -32000;

type Requests = AgentRequests & ClientRequests;

/** The result as version 1 has it, checked against the schema of the version that is spoken; fails otherwise. */
export function requireResult<Method extends keyof Requests>(
  answer: Answer,
  method: Method,
): ResultOf<Requests, Method> {
  if (method !== 'initialize') stopIfAuthIsNeeded(answer);
  if (answer.kind !== 'result') return unmet(`a result of ${method}`, describeAnswer(answer));
  try {
    return answer.reader.readResult(method, answer.result) as ResultOf<Requests, Method>;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return unmet(`a result of ${method} that fits the schema`, `${error.message} in ${show(answer.result)}`);
  }
}

/** The error; fails when there is none, or when its code is none of `codes`. */
export function requireError(answer: Answer, codes: readonly number[] = []): ErrorObject {
  const wanted = codes.length === 0 ? 'an error' : `error ${codes.join(' or ')}`;
  if (answer.kind !== 'error') return unmet(wanted, describeAnswer(answer));
  if (codes.length > 0 && !codes.includes(AUTH_REQUIRED)) stopIfAuthIsNeeded(answer);
  if (codes.length > 0 && !codes.includes(answer.error.code)) return unmet(wanted, describeAnswer(answer));
  return answer.error;
}

/** Wanting to be authenticated first is a normal state of an agent, and no answer to anything else. */
export function stopIfAuthIsNeeded(answer: Answer): void {
  if (answer.kind !== 'error' || answer.error.code !== AUTH_REQUIRED) return;
  throw new Verdict('needs_authentication', `The agent wants to be authenticated first: ${answer.error.message}`);
}

/** Fails unless the peer said something at all. */
export function requireAnswer(answer: Answer): void {
  if (answer.kind === 'silence' || answer.kind === 'ended') unmet('an answer', describeAnswer(answer));
}

/** The answer if it comes in time, else silence. */
export function answerWithin(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ kind: 'silence', afterMs: timeoutMs }), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export function describeAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'result':
      return `result ${show(answer.result)} after ${Math.round(answer.afterMs)} ms`;
    case 'error':
      return `${describeError(answer.error)} after ${Math.round(answer.afterMs)} ms`;
    case 'silence':
      return `no answer within ${Math.round(answer.afterMs)} ms`;
    case 'ended':
      return `the end of the wire: the process ${answer.how}${lastLine(answer.stderr)}`;
  }
}

/** `error -32603 "Internal error" {"details":"no such file"}` */
function describeError({ code, message, data }: ErrorObject): string {
  return `error ${code} ${show(message)}${data === undefined ? '' : ` ${show(data)}`}`;
}

const MAX_SHOWN = 240;

/** A value as short JSON. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function lastLine(stderr: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' ? '' : ` (stderr: ${line.slice(0, MAX_SHOWN)})`;
}
