import { createInterface } from 'node:readline/promises';
import { clipText } from '@parley/terminal';
import type { CliContext } from '../../context.ts';
import type { SavedSession } from '../records/saved-session.ts';
import { shortIds, wordAge, wordSession } from './word-session.ts';

/** More than this scrolls the first ones away; part of a title finds the others. */
const MAX_SHOWN = 15;

/** Lets the person choose a session, newest first, by number or by part of what it is called. Undefined when they leave. */
export async function pickSession(
  sessions: readonly SavedSession[],
  { stdin, stderr, terminal: screen }: CliContext,
): Promise<SavedSession | undefined> {
  const width = stderr.columns || 80;
  const short = shortIds(sessions);
  const terminal = createInterface({ input: stdin, output: screen, terminal: true });
  const left = new Promise<undefined>((resolve) => {
    terminal.once('close', () => resolve(undefined));
    terminal.once('SIGINT', () => terminal.close());
  });
  try {
    for (let shown = sessions; ; ) {
      const rows = shown.slice(0, MAX_SHOWN).map((session, index) => {
        const age = wordAge(session.updatedAtMs).padEnd(10);
        return clipText(
          `${String(index + 1).padStart(3)}  ${age}  ${short(session.id)}  ${wordSession(session)}`,
          width,
        );
      });
      const more = shown.length - rows.length;
      stderr.write(`${rows.join('\n')}\n${more > 0 ? `     and ${more} more: type part of a title\n` : ''}`);
      const word = await Promise.race([left, terminal.question('number, or part of a title > ')]);
      if (word === undefined) return undefined;
      const chosen = shown[Number(word.trim() || '1') - 1];
      if (chosen) return chosen;
      const found = sessions.filter((session) => isCalled(session, word.trim().toLowerCase()));
      if (found.length === 1) return found[0];
      if (found.length === 0) stderr.write(`No session here is called "${clipText(word.trim(), 40)}".\n`);
      else shown = found;
    }
  } finally {
    terminal.close();
  }
}

function isCalled(session: SavedSession, word: string): boolean {
  return session.id.startsWith(word) || wordSession(session).toLowerCase().includes(word);
}
