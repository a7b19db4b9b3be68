import { TextWriter } from '@parley/chat/view';
import { usageError, watchInterruption } from '@parley/host/command-line';
import { needsRoom, untilRoom } from '@parley/host/output';
import type { LoggedEvent } from '@parley/store';
import type { CliContext } from '../../context.ts';
import { readOutputSettings } from '../../output/output-settings.ts';
import { textViewOptions } from '../../output/text-view-options.ts';
import { requireSession, type SessionFlags } from '../choice/choose-session.ts';
import { foldLog } from '../records/transcript-of.ts';

export interface WatchFlags extends SessionFlags {
  readonly cursor?: string;
  readonly json?: boolean;
}

/** Shows a conversation and then everything that is added to it, until it is interrupted. It changes nothing. */
export async function watchSession(flags: WatchFlags, context: CliContext): Promise<void> {
  const after = readCursor(flags.cursor);
  await using chosen = await requireSession(flags, context);
  using interruption = watchInterruption(context);
  const { stdout } = context;
  const { signal } = interruption;
  const events = chosen.records.follow(chosen.session, { after, signal });
  if (flags.json || flags.format === 'json') {
    for await (const event of events) {
      stdout.write(toJson(event));
      if (needsRoom(stdout)) await untilRoom(stdout, signal);
    }
    return;
  }
  const view = { ...readOutputSettings(flags), cwd: chosen.session.cwd };
  const options = textViewOptions(view, context, stdout);
  const writer = new TextWriter({ ...options, write: (text) => void stdout.write(text) });
  for await (const { event, transcript } of foldLog(events)) {
    writer.follow(event, transcript);
    if (needsRoom(stdout)) await untilRoom(stdout, signal);
  }
}

function toJson({ seq, timeMs, kind, body }: LoggedEvent): string {
  return `${JSON.stringify({ cursor: seq, time: new Date(timeMs).toISOString(), kind, event: body })}\n`;
}

function readCursor(text: string | undefined): number {
  const cursor = Number(text ?? 0);
  if (Number.isInteger(cursor) && cursor >= 0) return cursor;
  throw usageError(`--cursor is the number of an event, not "${text}".`);
}
