import type { Model, ModelRequest, Usage } from '@parley/models/model';
import { collectAnswer, type History, ModelError, repairHistory, textOf } from '@parley/models/model';
import { abridgeHistory } from './abridge.ts';
import { shortenHistory } from './shorten-history.ts';

/** How full the window may get before the history is shortened, leaving room for an answer. */
const FULL_SHARE = 0.8;
/** A history that is estimated to take no more than this is not what fills the window. */
const SMALL_SHARE = 0.1;
/** A token is about this many characters of text or code. */
const CHARACTERS_PER_TOKEN = 3.5;
/** What an image costs, roughly, with any provider. */
const TOKENS_PER_IMAGE = 1600;
/** A page of a document takes some 2000 tokens, and very different numbers of bytes. */
const DOCUMENT_CHARACTERS_PER_TOKEN = 50;
/** How many characters of each text are told to the model that summarizes, when more turn out to be too many. */
const ABRIDGE_LIMITS: readonly number[] = [Number.POSITIVE_INFINITY, 8000, 1000, 100];

const SUMMARIZE = `Summarize the conversation so far for yourself: you will go on from the summary, the person's own words and your last steps. Write these sections:
1. What the person wants, with everything they have asked for or ruled out.
2. What was decided, and why.
3. Files that were read or changed: their paths, what matters in them, and how they were changed. Name functions and values exactly.
4. What commands and tests showed, errors word for word.
5. What is done, what is still open, and what you were about to do next.
Leave out what no longer matters. Do not call tools.`;

/** About how many tokens a history takes. */
export function estimateTokens(history: History): number {
  let characters = 0;
  let images = 0;
  let documents = 0;
  for (const message of history) {
    const parts = message.role === 'tool' ? message.results.flatMap(({ content }) => content) : message.content;
    for (const part of parts) {
      if (part.type === 'image' || part.type === 'audio') images++;
      else if (part.type === 'document') documents += part.data.length;
      else if (part.type === 'tool_call') characters += JSON.stringify(part.input).length + part.name.length;
      else characters += part.text.length;
    }
  }
  const media = images * TOKENS_PER_IMAGE + documents / DOCUMENT_CHARACTERS_PER_TOKEN;
  return Math.ceil(characters / CHARACTERS_PER_TOKEN + media);
}

/** About how many tokens a request takes besides its history. */
export function estimateRequestTokens({ system = '', tools = [] }: Omit<ModelRequest, 'messages'>): number {
  return Math.ceil((system.length + JSON.stringify(tools).length) / CHARACTERS_PER_TOKEN);
}

/** What a provider has counted: so many tokens for all that a request says and so many messages of the history. */
export interface CountedTokens {
  readonly tokens: number;
  readonly messages: number;
}

export interface FullnessOptions {
  readonly request: Omit<ModelRequest, 'messages'>;
  readonly contextWindow: number | undefined;
  /** Of the last answer in the same conversation; what came after it is estimated. */
  readonly counted?: CountedTokens | undefined;
}

/** Whether a request with this history would leave too little room for the answer. */
export function isAlmostFull(history: History, { request, contextWindow, counted }: FullnessOptions): boolean {
  if (contextWindow === undefined) return false;
  const estimated = estimateTokens(history);
  // Some languages take several times as many tokens as estimated; what is really small need not be shortened, whatever is counted.
  if (counted && estimated > contextWindow * SMALL_SHARE) {
    const tokens = counted.tokens + estimateTokens(history.slice(counted.messages));
    if (tokens > contextWindow * FULL_SHARE) return true;
  }
  const fixed = estimateRequestTokens(request);
  // Where the fixed part fills the window by itself, shortening the history would not help.
  const room = Math.max(contextWindow * FULL_SHARE - fixed, (contextWindow * FULL_SHARE) / 2);
  return estimated > room;
}

export interface CompactOptions {
  readonly model: Model;
  readonly history: History;
  /** As the conversation's own requests have it: providers then find what they have cached. */
  readonly request: Omit<ModelRequest, 'messages'>;
  readonly signal: AbortSignal;
  /** The provider has refused this history as it is; it is not sent again without something left out. */
  readonly wasRefused?: boolean;
  /** In the middle of a turn, which goes on from what comes of it. */
  readonly isRunning: boolean;
}

export interface Compacted {
  readonly summary: string;
  readonly history: History;
  readonly usage: Usage;
}

/** Shortens a history to a summary of it, and what must not be lost to one. */
export async function compactHistory(options: CompactOptions): Promise<Compacted> {
  const { history, isRunning } = options;
  const answer = await summarize(options, options.wasRefused ? ABRIDGE_LIMITS.slice(1) : ABRIDGE_LIMITS);
  const summary = textOf(answer.content).trim();
  return { summary, history: shortenHistory(history, summary, { isRunning }), usage: answer.usage };
}

/** A history that is too long even to be summarized, or refused as it is, is told in fewer and fewer words. */
async function summarize(options: CompactOptions, limits: readonly number[]): ReturnType<typeof collectAnswer> {
  const { model, history, request, signal } = options;
  const [limit = 0, ...shorter] = limits;
  const question = { role: 'user' as const, content: [{ type: 'text' as const, text: SUMMARIZE }] };
  const messages = repairHistory([...abridgeHistory(history, limit), question]);
  try {
    return await collectAnswer(model.stream({ ...request, messages }, { signal }));
  } catch (error) {
    const isRefused =
      error instanceof ModelError && (error.code === 'context_too_long' || error.code === 'invalid_request');
    if (!isRefused || shorter.length === 0) throw error;
    return summarize(options, shorter);
  }
}
