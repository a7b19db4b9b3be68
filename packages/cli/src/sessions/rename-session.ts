import { usageError } from '@parley/host/command-line';
import { cleanLine } from '@parley/terminal';
import type { CliContext } from '../context.ts';
import { requireSession, type SessionFlags } from './choice/choose-session.ts';

/** Gives a session another title. */
export async function renameSession(
  { title, ...flags }: SessionFlags & { readonly title: string },
  context: CliContext,
): Promise<void> {
  const words = cleanLine(title).trim();
  if (words === '') throw usageError('A title has to say something.');
  await using chosen = await requireSession(flags, context);
  await chosen.records.rename(chosen.session, words);
  if (flags.format !== 'quiet') context.stdout.write(`${chosen.session.id} is called: ${words}\n`);
}
