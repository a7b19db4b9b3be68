import type { WireName } from './wires/wire-name.ts';

/** One thing the fake model does while it answers. All of it is plain JSON, so a script can be a file. */
export type FakeEvent =
  | {
      readonly type: 'text';
      readonly text: string;
      readonly chunkChars?: number;
      readonly delayMs?: number;
      /** Whether it is a remark or the answer, where the wire has that (responses). */
      readonly phase?: 'commentary' | 'final_answer';
    }
  | { readonly type: 'thought'; readonly text: string; readonly signature?: string }
  /** `rawArguments` replaces the JSON of `input`, to send arguments that do not parse. */
  | {
      readonly type: 'tool_call';
      readonly name: string;
      readonly input?: unknown;
      readonly id?: string;
      readonly rawArguments?: string;
      readonly chunkChars?: number;
      readonly signature?: string;
    }
  | { readonly type: 'usage'; readonly input: number; readonly output: number; readonly cached?: number }
  | { readonly type: 'stop'; readonly reason: FakeStopReason }
  | { readonly type: 'wait'; readonly ms: number }
  /** Says nothing more, but keeps the connection open. */
  | { readonly type: 'stall' }
  /** Breaks the connection in the middle of the answer. */
  | { readonly type: 'cut' }
  /** Ends the answer properly for HTTP, but without its last events. */
  | { readonly type: 'end_early' }
  | { readonly type: 'nonsense'; readonly bytes?: number }
  | { readonly type: 'invalid_json' }
  | { readonly type: 'comment'; readonly text?: string }
  /** As much text as one wants, without writing it into the script. */
  | { readonly type: 'huge'; readonly chars: number; readonly chunkChars?: number }
  /** An error reported inside a stream that began well. */
  | { readonly type: 'error'; readonly kind: FakeErrorKind; readonly message?: string };

export type FakeStopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';

export type FakeErrorKind =
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'auth'
  | 'quota'
  | 'context_too_long'
  | 'invalid_request'
  | 'not_found';

/** Which requests a reply is for; every named condition must hold. */
export interface ReplyCondition {
  readonly wire?: WireName;
  /** Somewhere in what the person said last. */
  readonly contains?: string;
  /** This tool is offered. */
  readonly tool?: string;
  /** Whether the request ends with tool results. */
  readonly hasToolResult?: boolean;
}

interface ReplyRules {
  readonly when?: ReplyCondition;
  /** Use it as often as it fits. Default: once. */
  readonly repeat?: boolean;
}

export interface StreamReply extends ReplyRules {
  readonly events: readonly FakeEvent[];
  /** Default: small numbers derived from the texts. */
  readonly omitUsage?: boolean;
  /** How lines end, for readers that should not care. Default: `\n`. */
  readonly newline?: '\n' | '\r\n' | '\r';
  /** Cuts the bytes of the stream into pieces of this size, through lines and characters. */
  readonly pieceBytes?: number;
}

export interface ErrorReply extends ReplyRules {
  readonly error: FakeErrorKind;
  /** Default: what the provider uses for this error. */
  readonly status?: number;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

export interface RawReply extends ReplyRules {
  readonly status: number;
  readonly contentType?: string;
  readonly body: string;
}

/** Goes silent for good: before the headers, after them, or in the middle of the body of an error. */
export interface HangReply extends ReplyRules {
  readonly hang: 'headers' | 'body' | 'error';
}

export type PlainReply = StreamReply | ErrorReply | RawReply | HangReply;

/** What one request gets; a string is short for an answer with that text. */
export type Reply = string | PlainReply;

/** Reads a script from JSON, or throws with the place of the mistake. */
export function parseScript(value: unknown): readonly Reply[] {
  const list = Array.isArray(value) ? value : (value as { readonly replies?: unknown } | null)?.replies;
  if (!Array.isArray(list)) throw new Error('A script is a list of replies, or {"replies": [...]}.');
  return list.map((reply: unknown, index) => {
    if (typeof reply === 'string') return reply;
    const keys = typeof reply === 'object' && reply !== null ? Object.keys(reply) : [];
    if (['events', 'error', 'status', 'hang'].some((key) => keys.includes(key))) return reply as Reply;
    throw new Error(`replies[${index}] needs "events", "error", "status" or "hang"; it is ${JSON.stringify(reply)}.`);
  });
}
