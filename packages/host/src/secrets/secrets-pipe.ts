import { closeSync, readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';

/** Names the file descriptor from which a process of ours reads secret variables. */
export const SECRETS_FD_VARIABLE = 'PARLEY_SECRETS_FD';
/** The first descriptor after stdin, stdout and stderr. */
export const SECRETS_FD = 3;

/** Writes variables to a process that was started with `PARLEY_SECRETS_FD`; resolves when all is written. */
export function writeSecretsPipe(pipe: Duplex, secrets: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve) => {
    // A process that ends before it reads is reported by its exit.
    pipe.on('error', () => resolve()).once('finish', resolve);
    // Nothing comes back, but only a stream that is read notices its end.
    pipe.resume().end(JSON.stringify(secrets));
  });
}

/** Reads the variables to the end of the pipe and closes it; returns nothing where there is no such pipe. */
export function readSecretsPipe(fd: string | undefined): Readonly<Record<string, string>> {
  if (fd !== String(SECRETS_FD)) return {};
  try {
    const text = readFileSync(SECRETS_FD, 'utf8');
    closeSync(SECRETS_FD);
    const variables = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(variables.filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}
