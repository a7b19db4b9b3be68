import { createHash } from 'node:crypto';
import type { SeenFiles } from '../operations/operations.ts';

/** Of more files than this the oldest are forgotten. */
const MAX_FILES = 5000;

/** Remembers what the files of one session held when its model saw them last, for as long as the session is open. */
export function createSeenFiles(): SeenFiles {
  const hashes = new Map<string, string>();
  return {
    note(path, content) {
      hashes.delete(path);
      hashes.set(path, hashOf(content));
      const [oldest] = hashes.keys();
      if (hashes.size > MAX_FILES && oldest !== undefined) hashes.delete(oldest);
    },
    hasChanged(path, content) {
      const known = hashes.get(path);
      return known !== undefined && known !== hashOf(content);
    },
  };
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64');
}
