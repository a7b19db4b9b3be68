import { rm, writeFile } from 'node:fs/promises';
import type { FileStep } from '../changes/file-steps.ts';
import { readText } from '../changes/session-changes.ts';
import { undoSteps } from '../changes/undo-steps.ts';

export interface Restored {
  readonly restored: readonly string[];
  /** Changed since by somebody else, so left alone. */
  readonly left: readonly string[];
}

/** Puts files back to what they held before these changes, as far as that can be told from what they hold now. */
export async function restoreFiles(steps: ReadonlyMap<string, readonly FileStep[]>): Promise<Restored> {
  const restored: string[] = [];
  const left: string[] = [];
  for (const [path, changes] of steps) {
    const now = await readText(path);
    const before = undoSteps(now, changes);
    if (!before) {
      left.push(path);
      continue;
    }
    if (before.text === now) continue;
    if (before.text === null) await rm(path, { force: true });
    else await writeFile(path, before.text);
    restored.push(path);
  }
  return { restored, left };
}
