import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type TraceFile, traceToFile } from '@parley/client/node';
import { usageError } from '@parley/host/command-line';

/** Opens the file of `--trace`; says at once when it cannot be written. */
export function openTrace(file: string, cwd: string): TraceFile {
  const path = resolve(cwd, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw usageError(`--trace ${file} cannot be written: ${(error as Error).message}`);
  }
  return traceToFile(path);
}
