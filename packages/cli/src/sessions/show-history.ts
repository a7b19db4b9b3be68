import type { Entry } from '@parley/client';
import type { LoggedEvent } from '@parley/store';
import type { CliContext } from '../context.ts';
import { usageError } from '../errors.ts';
import { describeNotice } from '../output/describe-notice.ts';
import { describeToolCall } from '../output/describe-tool-call.ts';
import { printable, printableLine } from '../output/printable.ts';
import { createStyles, hasColor, type Styles } from '../output/styles.ts';
import { writePieces } from '../output/write-out.ts';
import { requireSession, type SessionFlags } from './choose-session.ts';
import { entriesOf } from './transcript-of.ts';

export interface HistoryFlags extends SessionFlags {
  readonly limit?: string;
  readonly tail?: string;
  readonly json?: boolean;
}

/** Prints a conversation from what was written down; no agent is started. */
export async function showHistory(flags: HistoryFlags, context: CliContext): Promise<void> {
  const limit = readLimit(flags.limit ?? flags.tail);
  await using chosen = await requireSession(flags, context);
  const events = chosen.shelf.read(chosen.session);
  if (flags.json || flags.format === 'json') {
    await writePieces(context.stdout, linesOf(events));
    return;
  }
  const styles = createStyles(hasColor(context, context.stdout, flags));
  const entries = entriesOf(events);
  await writePieces(
    context.stdout,
    describe(limit === undefined ? entries : lastOf(entries, limit), styles, flags.verbose === true),
  );
}

async function* linesOf(events: AsyncIterable<LoggedEvent>): AsyncGenerator<string> {
  for await (const { seq, timeMs, kind, body } of events) {
    yield `${JSON.stringify({ cursor: seq, time: new Date(timeMs).toISOString(), kind, event: body })}\n`;
  }
}

async function* lastOf(entries: AsyncIterable<Entry>, limit: number): AsyncGenerator<Entry> {
  const last: Entry[] = [];
  for await (const entry of entries) {
    last.push(entry);
    if (last.length > limit) last.shift();
  }
  yield* last;
}

async function* describe(entries: AsyncIterable<Entry>, styles: Styles, isVerbose: boolean): AsyncGenerator<string> {
  for await (const entry of entries) {
    const text = describeEntry(entry, styles, isVerbose);
    if (text !== undefined) yield `${text}\n`;
  }
}

/** One entry of a conversation as lines. */
export function describeEntry(entry: Entry, styles: Styles, isVerbose: boolean): string | undefined {
  switch (entry.type) {
    case 'message':
      return entry.speaker === 'user'
        ? styles.bold(`> ${printable(entry.text).replaceAll('\n', '\n> ')}`)
        : printable(entry.text).trimEnd();
    case 'thought':
      return isVerbose ? styles.dim(`[thinking] ${printable(entry.text).trim()}`) : undefined;
    case 'tool_call':
      return describeToolCall(entry, { styles, isVerbose, hidesReads: !isVerbose });
    case 'notice':
      return styles.yellow(describeNotice(entry));
    case 'compaction':
      return styles.dim('[the agent has shortened its context]');
    case 'unknown':
      return isVerbose ? styles.dim(`[${printableLine(entry.variant)}]`) : undefined;
  }
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw usageError(`--limit is a number of entries, not "${text}".`);
}
