import { join } from 'node:path';
import type { GuardedFiles } from '@parley/host/files';
import { headOf } from '../text.ts';
import type { PromptCommand } from './prompt-command.ts';

const FOLDER = ['.parley', 'commands'] as const;
const MAX_COMMANDS = 100;

/**
 * The person's own commands: each `.parley/commands/<name>.md` is a prompt, in which `$ARGUMENTS` stands for what follows
 * the name. A first line `description: ...` between `---` lines describes it.
 */
export async function readCustomCommands(files: GuardedFiles, cwd: string): Promise<readonly PromptCommand[]> {
  const folder = join(cwd, ...FOLDER);
  const entries = await files.list(folder).catch(() => []);
  const names = entries.map(({ name }) => name).filter((name) => /^[\w-]+\.md$/.test(name));
  const commands = await Promise.all(
    names.slice(0, MAX_COMMANDS).map(async (name) => {
      const text = await files.readText(join(folder, name)).catch(() => '');
      return text === '' ? undefined : createCommand(name.slice(0, -'.md'.length), text);
    }),
  );
  return commands.filter((command) => command !== undefined);
}

function createCommand(name: string, text: string): PromptCommand {
  const [, head = '', body = text] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text) ?? [];
  const described = /^description:\s*(.+)$/m.exec(head)?.[1]?.trim();
  const [firstLine = ''] = body.trim().split('\n');
  return {
    name,
    description: described ?? headOf(firstLine.replace(/^#+\s*/, ''), 100),
    hint: 'arguments',
    asks: (input) => {
      const filled = body.includes('$ARGUMENTS') ? body.replaceAll('$ARGUMENTS', () => input) : `${body}\n\n${input}`;
      return filled.trim();
    },
  };
}
