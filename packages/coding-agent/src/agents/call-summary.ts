import type { ToolCallEntry, TranscriptEvent, TurnResult } from '@parley/session';
import type { AgentCallOutcome } from '../operations/operations.ts';
import { shortenOutput } from '../text.ts';

/** More files are not named. */
const MAX_FILES = 20;

const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/** What an agent told while it worked, by kind, in the protocol's words. */
export class UpdateCounts {
  readonly #counts = new Map<string, number>();

  add({ type }: TranscriptEvent): void {
    const name = NAMES[type];
    if (name !== undefined) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  toJSON(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}

/** What the other side of the wire tells; turns and questions are counted by nobody. */
const NAMES: Partial<Readonly<Record<TranscriptEvent['type'], string>>> = {
  message_chunk: 'messages',
  whole_message: 'messages',
  thought_chunk: 'thoughts',
  whole_thought: 'thoughts',
  tool_call: 'toolCalls',
  tool_call_chunk: 'toolCalls',
  plan: 'plans',
  mode: 'modes',
  config: 'options',
  commands: 'commands',
  usage: 'usage',
  info: 'info',
  notice: 'notices',
  unknown: 'others',
};

export interface CallFacts {
  readonly agent: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly result: TurnResult;
  readonly updates: UpdateCounts;
  readonly durationMs: number;
  /** Which limit it has reached. */
  readonly stopped?: string | undefined;
  /** What was not as it was asked for: another session, a mode that there is not. */
  readonly notes: readonly string[];
}

/** What the model reads of a call: the agent's words, and a summary of what it did. */
export function summarizeCall(facts: CallFacts): AgentCallOutcome {
  const { agent, sessionId, result, updates, durationMs, stopped, notes } = facts;
  const { stopReason, toolCalls, failures, text } = result;
  const seconds = Math.round(durationMs / 100) / 10;
  const files = changedFiles(toolCalls, facts.cwd);
  const summary = [
    stopped === undefined
      ? `${agent} ended its turn after ${seconds} s (${stopReason}).`
      : `${agent} was stopped after ${seconds} s, since ${stopped}. What it said may be incomplete.`,
    `Tool calls: ${toolCalls.length}${failures.length > 0 ? `, ${failures.length} of them failed` : ''}.`,
    ...(files.length > 0 ? [`Files it says it changed: ${files.join(', ')}.`] : []),
    ...notes,
    `Session: ${sessionId} (give it as "session" to go on).`,
  ].join(' ');
  const said = text.trim() === '' ? `${agent} said nothing.` : shortenOutput(text.trim());
  return {
    text: `${said}\n\n[${summary}]`,
    isError: stopped !== undefined || stopReason === 'refusal' || stopReason === 'cancelled',
    rawOutput: {
      agent,
      sessionId,
      stopReason,
      durationMs,
      toolCalls: toolCalls.length,
      failedToolCalls: failures.length,
      files,
      updates: updates.toJSON(),
      ...(stopped !== undefined && { stopped }),
    },
  };
}

function changedFiles(toolCalls: readonly ToolCallEntry[], cwd: string): readonly string[] {
  const paths = toolCalls.flatMap(({ kind, locations, content, status }) => {
    if (status === 'failed' || status === 'cancelled') return [];
    const diffs = content.flatMap((part) => (part.type === 'diff' ? [part.path] : []));
    return CHANGING.has(kind) ? [...locations.map(({ path }) => path), ...diffs] : diffs;
  });
  const names = [...new Set(paths)].map((path) => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path));
  return names.length <= MAX_FILES ? names : [...names.slice(0, MAX_FILES), `${names.length - MAX_FILES} more`];
}
