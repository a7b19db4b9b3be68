import type { TerminalRecord, ToolCallEntry } from '@parley/client';
import { textOfToolCall } from '@parley/protocol';
import type { ToolCallContent } from '@parley/session';
import { wordDuration } from '@parley/session/view';
import type { IconName } from '../icon.tsx';

/** What a view says of a tool call beside its title. */
export interface ToolCallFacts {
  readonly icon: IconName;
  /** The status in a word. */
  readonly status: string;
  readonly isRunning: boolean;
  /** `exit 1`, `12s`. */
  readonly notes: readonly string[];
}

/** Facts of a tool call as it stands now. */
export function readFacts(call: ToolCallEntry, terminals: readonly TerminalRecord[], now: number): ToolCallFacts {
  const isRunning = !hasEnded(call);
  const notes: string[] = [];
  for (const { exit } of terminals) {
    if (exit?.signal) notes.push(`ended by ${exit.signal}`);
    else if (exit?.exitCode) notes.push(`exit ${exit.exitCode}`);
  }
  // What was told again has the time of the telling.
  const until = isRunning ? now : call.endedAt;
  if (call.origin === 'live' && call.at !== undefined && until !== undefined && until - call.at >= MIN_TOLD_MS)
    notes.push(wordDuration(until - call.at));
  return { icon: ICONS[call.status] ?? 'running', status: WORDS[call.status] ?? call.status, isRunning, notes };
}

const MIN_TOLD_MS = 100;

const ICONS: Readonly<Record<string, IconName>> = {
  pending: 'pending',
  in_progress: 'running',
  paused: 'pending',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

const WORDS: Readonly<Record<string, string>> = { pending: 'waiting', in_progress: 'running', completed: 'done' };

export function hasEnded({ status }: Pick<ToolCallEntry, 'status'>): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

export function hasDiffs(content: readonly ToolCallContent[]): boolean {
  return content.some(({ type }) => type === 'diff' || type === 'changes');
}

/** Whether what a tool call did is worth seeing without asking: changes, commands, failures; not what was only read. */
export function isShownAtFirst(call: ToolCallEntry): boolean {
  if (call.status === 'failed') return true;
  if (hasDiffs(call.content) || call.content.some(({ type }) => type === 'terminal')) return true;
  return call.kind === 'execute';
}

/** Text that a command has written, where it is told as content: some agents put it into a code block. */
export function outputOf(call: ToolCallEntry): string {
  const text = textOfToolCall(call.content);
  return /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}

/** The places that the title does not name already. */
export function placesOf({ locations, title, content }: ToolCallEntry): ToolCallEntry['locations'] {
  const shown = new Set(content.flatMap((part) => (part.type === 'diff' ? [part.path] : [])));
  return locations.filter(({ path, line }) => !shown.has(path) && (line != null || !title.includes(nameOf(path))));
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) || path;
}
