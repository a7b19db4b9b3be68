import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '@parley/host/places';
import { MAX_HISTORY_ENTRIES } from '@parley/terminal/input';

/** Longer prompts are not worth finding again. */
const MAX_ENTRY_CHARACTERS = 10_000;

/** The prompts of earlier chats, oldest first. A file that cannot be read is an empty one. */
export async function loadHistory(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const entries = text.split('\n').flatMap(parseEntry);
  if (entries.length > 2 * MAX_HISTORY_ENTRIES) await save(path, entries.slice(-MAX_HISTORY_ENTRIES));
  return entries.slice(-MAX_HISTORY_ENTRIES);
}

/** Adds a prompt. What cannot be written is not remembered, and nobody is bothered with it. */
export async function appendHistory(path: string, entry: string): Promise<void> {
  if (entry.length > MAX_ENTRY_CHARACTERS) return;
  try {
    await makeFolder(dirname(path));
    await appendFile(path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  } catch {
    // A chat must not end because its history cannot be kept.
  }
}

async function save(path: string, entries: readonly string[]): Promise<void> {
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  await writeFile(path, text, { mode: 0o600 }).catch(() => {});
}

function parseEntry(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? [entry] : [];
  } catch {
    return [];
  }
}
