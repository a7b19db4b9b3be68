import { collectAnswer } from '../models/answer.ts';
import { type History, textOf } from '../models/history.ts';
import type { Model } from '../models/model.ts';
import { summaryMessage } from './history-from-events.ts';

/** How full the window may get before the history is shortened, leaving room for an answer. */
const FULL_SHARE = 0.8;
/** A token is about this many characters of text or code. */
const CHARACTERS_PER_TOKEN = 3.5;
/** What an image costs, roughly, with any provider. */
const TOKENS_PER_IMAGE = 1600;

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

export function isAlmostFull(history: History, contextWindow: number | undefined): boolean {
  return contextWindow !== undefined && estimateTokens(history) > contextWindow * FULL_SHARE;
}

export interface CompactOptions {
  readonly model: Model;
  readonly history: History;
  readonly system: string;
  readonly signal: AbortSignal;
}

/** Shortens a history to a summary of it, and the person's last words so that nothing they just asked is lost. */
export async function compactHistory({ model, history, system, signal }: CompactOptions): Promise<Compacted> {
  const question = { role: 'user' as const, content: [{ type: 'text' as const, text: SUMMARIZE }] };
  const messages = [...history, question];
  const answer = await collectAnswer(model.stream({ system, messages }, { signal }));
  const summary = textOf(answer.content);
  const last = history.at(-1);
  return { summary, history: [summaryMessage(summary), ...(last?.role === 'user' ? [last] : [])] };
}

export interface Compacted {
  readonly summary: string;
  readonly history: History;
}
