import type { Extra } from '../extra.ts';
import type { PlanEntry, StopReason, ToolCallStatus } from '../parts.ts';
import type { Entry, ToolCallEntry } from './entry.ts';
import type { TokenUsage, Transcript } from './transcript.ts';

/** What a turn, or a whole conversation, came to. */
export interface Summary {
  /** What the agent said: messages in order, parted by empty lines. */
  readonly text: string;
  readonly thoughts: string;
  /** Each tool call once, in its latest state. */
  readonly toolCalls: readonly ToolCallEntry[];
  readonly failures: readonly ToolCallEntry[];
  readonly plan: readonly PlanEntry[];
  readonly entries: readonly Entry[];
}

/** How one turn ended, and everything in it. */
export interface TurnResult extends Summary {
  readonly stopReason: StopReason;
  /** Tokens of this turn, where the agent tells. */
  readonly usage?: TokenUsage;
  /** `_meta` of the agent's answer to the prompt. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** What that answer says beside the fields of the specification. */
  readonly extra?: Extra;
  /** True when the agent did not confirm the cancellation and we stopped waiting for it. */
  readonly isForced: boolean;
}

/** Sums up the entries of one turn. */
export function summarizeTurn(transcript: Transcript, turn: number): Summary {
  const firstEntry = transcript.turns.at(turn)?.firstEntry ?? 0;
  const entries = [...transcript.entries.from(firstEntry)].filter((entry) => entry.turn === turn);
  return summarize(entries, transcript.plan);
}

/** Sums up what there is from an entry on. */
export function summarizeFrom(transcript: Transcript, firstEntry: number): Summary {
  return summarize([...transcript.entries.from(firstEntry)], transcript.plan);
}

/** Sums up the whole conversation, replayed parts included. */
export function summarizeTranscript(transcript: Transcript): Summary {
  return summarize(transcript.entries.toArray(), transcript.plan);
}

/** Tool calls whose status and title fit; a text is looked for anywhere in the title. */
export function filterToolCalls(
  toolCalls: readonly ToolCallEntry[],
  filter: { readonly status?: ToolCallStatus; readonly title?: string | RegExp },
): ToolCallEntry[] {
  const { status, title } = filter;
  return toolCalls.filter((call) => {
    if (status !== undefined && call.status !== status) return false;
    if (title === undefined) return true;
    return typeof title === 'string' ? call.title.includes(title) : call.title.search(title) >= 0;
  });
}

function summarize(entries: readonly Entry[], plan: readonly PlanEntry[]): Summary {
  const toolCalls = entries.filter((entry) => entry.type === 'tool_call');
  const messages = entries.filter((entry) => entry.type === 'message' && entry.speaker === 'agent');
  return {
    text: joinTexts(messages),
    thoughts: joinTexts(entries.filter((entry) => entry.type === 'thought')),
    toolCalls,
    failures: toolCalls.filter(({ status }) => status === 'failed'),
    plan,
    entries,
  };
}

/** Looking into a long text would make a copy of it, and joining a list of texts does. */
function joinTexts(entries: readonly Entry[]): string {
  let joined = '';
  for (const entry of entries) {
    const text = 'text' in entry ? entry.text : '';
    if (text.length <= MAX_BLANK_CHARACTERS && text.trim() === '') continue;
    joined = joined === '' ? text : `${joined}\n\n${text}`;
  }
  return joined;
}

/** A text of nothing but white space is not longer. */
const MAX_BLANK_CHARACTERS = 10_000;
