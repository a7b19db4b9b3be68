import { usageError } from '@parley/host/command-line';
import type { CliContext } from '../context.ts';
import { findPlaces } from '../places.ts';
import { createRememberedFile, rememberedFile } from './remembered-file.ts';

export interface Revocation {
  readonly ids: readonly string[];
  readonly all?: boolean;
}

/** Forgets answers "always", by id or by the beginning of one. */
export async function revokePermissions({ ids, all = false }: Revocation, context: CliContext): Promise<void> {
  const store = createRememberedFile(rememberedFile(findPlaces(context.env)));
  const entries = await store.all();
  if (!all && ids.length === 0) throw usageError('Which one? Name an id, or --all.', 'parley permissions list');
  const chosen = all
    ? entries
    : ids.map((id) => {
        const found = entries.filter((entry) => entry.id.startsWith(id));
        if (found.length > 1) throw usageError(`"${id}" is the beginning of ${found.length} ids; give more of it.`);
        if (!found[0]) throw usageError(`There is no answer "${id}".`, 'parley permissions list');
        return found[0];
      });
  for (const { id, shown } of chosen) {
    await store.remove(id);
    context.stdout.write(`revoked: ${shown}\n`);
  }
}
