import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import type { FoldersReply } from '../../api/index.ts';
import type { AllowedFolders } from './allowed-folders.ts';

const MAX_SHOWN = 30;

/** Folders whose path begins with what was typed, as far as this principal may look there. */
export async function listFolders(
  typed: string,
  { allowed, principal }: { readonly allowed: AllowedFolders; readonly principal: string },
): Promise<FoldersReply> {
  const prefix =
    typed === '~' || typed.startsWith('~/') ? join(homedir(), typed.slice(1)) + (typed.length < 3 ? sep : '') : typed;
  const isWhole = /[/\\]$/.test(prefix);
  const parent = isWhole ? prefix : dirname(prefix);
  const wanted = isWhole ? '' : basename(prefix).toLowerCase();
  if ((await allowed.find(parent, principal)) === undefined) return { folders: [] };
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory() && entry.name.toLowerCase().startsWith(wanted))
    .map(({ name }) => name)
    // Hidden ones are for those who ask for them.
    .filter((name) => wanted.startsWith('.') || !name.startsWith('.'))
    .sort();
  return { folders: names.slice(0, MAX_SHOWN).map((name) => join(parent, name)) };
}
