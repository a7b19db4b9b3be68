import type { CommandContext } from '@parley/host/command-line';
import { findProgram } from '@parley/host/programs';
import { formatTable } from '@parley/terminal';
import { listReadyDescriptions } from '../ready/index.ts';

/** Prints the descriptions that come with Parley. */
export async function listDescriptions(
  { json = false }: { readonly json?: boolean },
  context: CommandContext,
): Promise<void> {
  const listed = (await listReadyDescriptions()).map(({ name, file, description }) => {
    const { title = description.name, about, homepage, command, sessionMode } = description;
    const isThere = findProgram(command[0] ?? '', context) !== undefined;
    return { name, title, isThere, program: command[0] ?? '', sessionMode, about, homepage, file };
  });
  if (json) return void context.stdout.write(`${JSON.stringify({ schema: 1, descriptions: listed })}\n`);
  const rows = listed.map(({ name, isThere, program, about = '', title }) => [
    name,
    isThere ? 'ready' : `missing: ${program}`,
    about === '' ? title : `${title}: ${about}`,
  ]);
  context.stdout.write(formatTable(rows));
}
