import { shellLine } from '@parley/host/terminal';
import { talkInChat } from '../chat/talk-in-chat.ts';
import type { CliContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { readRunSettings } from '../run/settings/run-settings.ts';
import { requireSession, type SessionFlags } from './choose-session.ts';
import { readPastTurns } from './read-past-turns.ts';
import { isOwn } from './saved-session.ts';

/** Goes on with a saved session in the chat. */
export async function resumeSession(flags: SessionFlags, context: CliContext): Promise<number> {
  await using chosen = await requireSession(flags, context);
  const { session } = chosen;
  const isTerminal = context.stdin.isTTY === true && context.stdout.isTTY === true;
  if (!isTerminal && !flags.plain) {
    throw new CliError('usage', 'The chat needs a terminal.', {
      next: [shellLine`parley prompt -s ${session.id} "..."`],
    });
  }
  const settings = await readRunSettings(chosen.flags, context, { keptMeta: session.meta });
  const { worker } = session;
  // Our own agent shows what another process does in its session, and lets both take part.
  if (worker?.isThere && !isOwn(session)) {
    throw new CliError('not_available', `Another process works in this session: ${worker.name}.`, {
      next: [shellLine`parley sessions watch ${session.id}`, shellLine`parley cancel -s ${session.id}`],
    });
  }
  const pastTurns = await readPastTurns(chosen.records.read(session));
  return talkInChat({ settings, words: [], pastTurns, resume: session }, context);
}
