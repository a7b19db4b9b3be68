import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { mimeTypeOfPath } from '@parley/protocol';
import { mention } from './complete.ts';

/** A terminal into which an image is dropped pastes its path; such a path becomes a mention. */
export function readPaste(text: string, cwd: string): string {
  const path = text
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
    .replace(/\\(?=[\s()'"&])/g, '');
  if (path === '' || path.includes('\n') || !mimeTypeOfPath(path)?.startsWith('image/')) return text;
  const isFile = statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile ? `${mention(path)} ` : text;
}
