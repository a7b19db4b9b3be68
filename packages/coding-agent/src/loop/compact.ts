import { collectAnswer } from '../models/answer.ts';
import { ModelError } from '../models/errors.ts';
import { type History, textOf } from '../models/history/history.ts';
import { repairHistory } from '../models/history/repair-history.ts';
import type { Model, ModelRequest, Usage } from '../models/model.ts';
import { abridgeHistory } from './abridge.ts';
import { summaryMessage } from './history-from-events.ts';

/** How full the window may get before the history is shortened, leaving room for an answer. */
const FULL_SHARE = 0.8;
/** A token is about this many characters of text or code. */
const CHARACTERS_PER_TOKEN = 3.5;
/** What an image costs, roughly, with any provider. */
const TOKENS_PER_IMAGE = 1600;
/** How many characters of each text are told to the model that summarizes, when more turn out to be too many. */
const ABRIDGE_LIMITS: readonly number[] = [Number.POSITIVE_INFINITY, 8000, 1000, 100];

const SUMMARIZE = `Summarize the conversation so far for yourself: you will go on from the summary alone. Write down what the person wants, what was decided and why, which files were read or changed and how, what commands showed, what is done and what is still open. Name paths, functions and values exactly. Do not call tools.`;

/** About how many tokens a history takes. */
export function estimateTokens(history: History): number {
  let characters = 0;
  let images = 0;
  for (const message of history) {
    const parts = message.role === 'tool' ? message.results.flatMap(({ content }) => content) : message.content;
    for (const part of parts) {
      if (part.type === 'image' || part.type === 'audio') images++;
      else if (part.type === 'tool_call') characters += JSON.stringify(part.input).length + part.name.length;
      else characters += part.text.length;
    }
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * TOKENS_PER_IMAGE;
}

/** Whether a request with this history would leave too little room for the answer. */
export function isAlmostFull(
  history: History,
  { system = '', tools = [] }: Omit<ModelRequest, 'messages'>,
  contextWindow: number | undefined,
): boolean {
  if (contextWindow === undefined) return false;
  const fixed = (system.length + JSON.stringify(tools).length) / CHARACTERS_PER_TOKEN;
  // Where the fixed part fills the window by itself, shortening the history would not help.
  const room = Math.max(contextWindow * FULL_SHARE - fixed, (contextWindow * FULL_SHARE) / 2);
  return estimateTokens(history) > room;
}

export interface CompactOptions {
  readonly model: Model;
  readonly history: History;
  /** As the conversation's own requests have it: providers then find what they have cached. */
  readonly request: Omit<ModelRequest, 'messages'>;
  readonly signal: AbortSignal;
  /** The provider has refused this history as it is; it is not sent again without something left out. */
  readonly wasRefused?: boolean;
}

export interface Compacted {
  readonly summary: string;
  readonly history: History;
  readonly usage: Usage;
}

/** Shortens a history to a summary of it, and the person's last words so that nothing they just asked is lost. */
export async function compactHistory(options: CompactOptions): Promise<Compacted> {
  const { history } = options;
  const answer = await summarize(options, options.wasRefused ? ABRIDGE_LIMITS.slice(1) : ABRIDGE_LIMITS);
  const summary = textOf(answer.content).trim();
  const last = history.at(-1);
  return {
    summary,
    history: [summaryMessage(summary), ...(last?.role === 'user' ? [last] : [])],
    usage: answer.usage,
  };
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
