import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import { redact } from '@parley/client';
import { formatEntry, type TracedMessage, type TraceEntry } from './trace-entry.ts';

/** How much may wait for a slow disk; the wire that is being watched is never slowed down. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export interface TraceWriter {
  readonly path: string;
  /** Entries that were left out because the disk was too slow, or failed. */
  readonly dropped: number;
  write(entry: TraceEntry): void;
  close(): Promise<void>;
}

/** Writes a trace to a file that only its owner may read; secrets are taken out unless that is switched off. */
export function createTraceWriter(
  path: string,
  { isRedacted = true }: { readonly isRedacted?: boolean } = {},
): TraceWriter {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  let dropped = 0;
  let isBroken = false;
  stream.on('error', () => {
    isBroken = true;
  });
  return {
    path,
    get dropped() {
      return dropped;
    },
    write(entry) {
      if (isBroken || stream.writableLength > MAX_WAITING_BYTES) dropped += 1;
      else stream.write(formatEntry(isRedacted ? withoutSecrets(entry) : entry));
    },
    async close() {
      stream.end();
      await finished(stream).catch(() => {});
    },
  };
}

export function withoutSecrets(entry: TraceEntry): TraceEntry {
  return entry.kind === 'message'
    ? { ...entry, message: redact(entry.message) as TracedMessage }
    : { ...entry, text: String(redact(entry.text)) };
}
