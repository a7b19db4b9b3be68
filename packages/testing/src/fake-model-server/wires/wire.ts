import { isRecord } from '@parley/jsonrpc/internal';
import type { FakeErrorKind, FakeStopReason } from '../script.ts';
import type { WireName } from './wire-name.ts';

/** A JSON object of a request or an answer. */
export type Json = Readonly<Record<string, unknown>>;

/** What conditions and assertions want to know about a request, the same for every format. */
export interface RequestSummary {
  readonly model: string;
  readonly isStreaming: boolean;
  readonly lastUserText: string;
  readonly tools: readonly string[];
  readonly hasToolResult: boolean;
}

export interface FakeToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentText: string;
  readonly signature?: string;
}

export interface FakeUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** One server-sent event before it becomes bytes. */
export interface WireEvent {
  readonly event?: string;
  readonly data: string;
}

/** Writes one streamed answer; keeps the counters that the format wants. */
export interface WireWriter {
  open(usage: FakeUsage): readonly WireEvent[];
  text(text: string, phase?: string): readonly WireEvent[];
  thought(text: string, signature?: string): readonly WireEvent[];
  /** The arguments come in the given pieces. */
  toolCall(call: FakeToolCall, pieces: readonly string[]): readonly WireEvent[];
  error(kind: FakeErrorKind, message: string): readonly WireEvent[];
  close(reason: FakeStopReason, usage: FakeUsage | undefined): readonly WireEvent[];
}

/** A whole answer, for requests that do not stream. */
export interface WholeAnswer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly FakeToolCall[];
  readonly reason: FakeStopReason;
  readonly usage: FakeUsage;
}

/** One provider's format, seen from the server. */
export interface FakeWire {
  readonly name: WireName;
  summarize(body: Json, path: string): RequestSummary;
  /** The key that the request came with. */
  apiKey(headers: Readonly<Record<string, unknown>>): string | undefined;
  /** Why the real provider would refuse this request, if it would. */
  findFault(body: Json): string | undefined;
  createWriter(model: string): WireWriter;
  whole(answer: WholeAnswer, model: string): Json;
  errorBody(kind: FakeErrorKind, message: string, status: number): Json;
}

export const ERROR_STATUS: Readonly<Record<FakeErrorKind, number>> = {
  rate_limit: 429,
  overloaded: 503,
  server: 500,
  auth: 401,
  quota: 429,
  context_too_long: 400,
  invalid_request: 400,
  not_found: 404,
};

export function asJson(value: unknown): Json {
  return isRecord(value) ? value : {};
}

export function listAt(object: Json, key: string): readonly Json[] {
  const value = object[key];
  return Array.isArray(value) ? value.map(asJson) : [];
}

export function textAt(object: Json, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

/** The text of a content field that is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => textAt(asJson(part), 'text'))
    .filter((text) => text !== '')
    .join('\n');
}

export function bearerKey(headers: Readonly<Record<string, unknown>>): string | undefined {
  const value = headers.authorization;
  return typeof value === 'string' && value.startsWith('Bearer ') ? value.slice('Bearer '.length) : undefined;
}

export function headerText(headers: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Calls and answers that do not match, in the order in which a conversation has them; undefined when all is well. */
export function findPairingFault(
  steps: readonly { readonly calls?: readonly string[]; readonly results?: readonly string[] }[],
): string | undefined {
  let open = new Set<string>();
  for (const { calls, results } of steps) {
    for (const id of results ?? []) {
      if (!open.delete(id)) return `there is a tool result for "${id}", but no call before it that waits for one`;
    }
    if (results === undefined && open.size > 0) return `the tool call "${[...open][0]}" was never answered`;
    if (calls === undefined) continue;
    if (new Set(calls).size < calls.length) return 'two tool calls of one message have the same id';
    open = new Set(calls);
  }
  return open.size > 0 ? `the tool call "${[...open][0]}" was never answered` : undefined;
}
