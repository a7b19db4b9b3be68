import { CliError, usageError } from '@parley/host/command-line';
import type { CliContext } from '../context.ts';
import { trimIdle } from '../stores/trim-idle.ts';
import { ArchiveFolder } from './archive/archive-folder.ts';
import { requireSession, type SessionFlags } from './choice/choose-session.ts';
import { type KeepFlags, readKept } from './kept-turns.ts';
import { archiveSaved } from './prune-sessions.ts';
import { cancelLine } from './records/server-store.ts';

/** Deletes the oldest turns of one session, for good. */
export async function trimSession(flags: SessionFlags & KeepFlags, context: CliContext): Promise<void> {
  const keep = readKept(flags);
  if (!keep) throw usageError('Say what is kept: --keep-turns 50, or --keep-days 90.');
  await using chosen = await requireSession(flags, context);
  const { records, session } = chosen;
  const place = records.logOf(session);
  if (!place) return void context.stdout.write('nothing to delete\n');
  const archive = flags.archive === undefined ? undefined : new ArchiveFolder(flags.archive, context.cwd);
  const isDryRun = flags.dryRun === true;
  const done = await trimIdle(place.log, place.id, {
    keep,
    isDryRun,
    beforeTrim: archive && (() => archiveSaved(records, session, archive)),
  });
  if (!done) {
    throw new CliError('not_available', `Another process works in the session ${session.id}.`, {
      next: [cancelLine(session.id, chosen.flags)],
    });
  }
  const { dropped, kept } = done;
  if (dropped === 0) return void context.stdout.write(`nothing to delete; the session has ${kept} turns\n`);
  context.stdout.write(`${isDryRun ? 'would delete' : 'deleted'} ${dropped} turns, ${kept} are kept\n`);
}
