import { TextWriter, type TextWriterOptions } from '@parley/chat/view';
import { usageError } from '@parley/host/command-line';
import { writePieces } from '@parley/host/output';
import type { LoggedEvent } from '@parley/store';
import type { CliContext } from '../../context.ts';
import { readOutputSettings } from '../../output/output-settings.ts';
import { type TextViewSettings, textViewOptions } from '../../output/text-view-options.ts';
import { requireSession, type SessionFlags } from '../choice/choose-session.ts';
import { entriesOf, type FoldedEntry } from '../records/transcript-of.ts';

export interface HistoryFlags extends SessionFlags {
  readonly limit?: string;
  readonly tail?: string;
  readonly json?: boolean;
}

/** Prints a conversation from what was written down; no agent is started. */
export async function showHistory(flags: HistoryFlags, context: CliContext): Promise<void> {
  const limit = readLimit(flags.limit ?? flags.tail);
  await using chosen = await requireSession(flags, context);
  const events = chosen.records.read(chosen.session);
  if (flags.json || flags.format === 'json') {
    await writePieces(context.stdout, linesOf(events));
    return;
  }
  const { cwd } = chosen.session;
  const options = textViewOptions(historyView(flags, cwd), context, context.stdout);
  const entries = entriesOf(events);
  await writePieces(context.stdout, textOf(limit === undefined ? entries : lastOf(entries, limit), options));
}

/** How a conversation of the past is shown: thoughts, and what was read, only to whoever wants to know everything. */
export function historyView(flags: HistoryFlags, cwd: string): TextViewSettings {
  const output = readOutputSettings(flags);
  return { ...output, hidesReads: !output.isVerbose, showsThoughts: output.isVerbose, cwd };
}

async function* textOf(
  entries: AsyncIterable<FoldedEntry>,
  options: Pick<TextWriterOptions, 'view' | 'paint'>,
): AsyncGenerator<string> {
  let text = '';
  const writer = new TextWriter({ ...options, write: (more) => (text += more) });
  for await (const { entry, transcript, isLast } of entries) {
    writer.entry(entry, transcript);
    if (isLast) writer.endTurn(transcript.turns.at(-1));
    yield text;
    text = '';
  }
  writer.endLine();
  yield text;
}

async function* linesOf(events: AsyncIterable<LoggedEvent>): AsyncGenerator<string> {
  for await (const { seq, timeMs, kind, body } of events) {
    yield `${JSON.stringify({ cursor: seq, time: new Date(timeMs).toISOString(), kind, event: body })}\n`;
  }
}

async function* lastOf(entries: AsyncIterable<FoldedEntry>, limit: number): AsyncGenerator<FoldedEntry> {
  const last: FoldedEntry[] = [];
  for await (const entry of entries) {
    last.push(entry);
    if (last.length > limit) last.shift();
  }
  yield* last;
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw usageError(`--limit is a number of entries, not "${text}".`);
}
