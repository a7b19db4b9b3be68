import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lets the person change a text in `$EDITOR`. Resolves to the new text, or undefined when nothing was changed. */
export async function runEditor(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const [command = 'vi', ...args] = (env.VISUAL || env.EDITOR || 'vi').split(/\s+/).filter(Boolean);
  const folder = await mkdtemp(join(tmpdir(), 'parley-prompt-'));
  const path = join(folder, 'prompt.md');
  try {
    await writeFile(path, text, { mode: 0o600 });
    await new Promise<void>((resolve, reject) => {
      const child = spawn(command, [...args, path], { stdio: 'inherit' });
      child.once('error', (cause) =>
        reject(new Error(`Cannot run "${command}"; set EDITOR to your editor.`, { cause })),
      );
      child.once('exit', () => resolve());
    });
    const changed = (await readFile(path, 'utf8')).replace(/\n$/, '');
    return changed === text ? undefined : changed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
