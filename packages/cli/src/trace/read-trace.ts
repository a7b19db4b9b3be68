import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { CliError } from '@parley/host/command-line';
import { parseEntry, type TraceEntry } from '@parley/session/traces';
import { wordFileError } from '../config/word-file-error.ts';

/** Reads a trace line by line, however long it is. Lines that are none are passed over; a file without any is an error. */
export async function* readTrace(file: string, cwd: string): AsyncGenerator<TraceEntry> {
  const path = resolve(cwd, file);
  const facts = await stat(path).catch((cause: Error) => {
    throw new CliError('trace_invalid', `${file} cannot be read: ${wordFileError(cause)}`, { cause });
  });
  if (!facts.isFile()) throw new CliError('trace_invalid', `${file} is not a file.`);
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const entry = parseEntry(line);
    if (!entry) continue;
    count += 1;
    yield entry;
  }
  if (count === 0) {
    throw new CliError('trace_invalid', `${file} is no trace.`, {
      next: ['parley exec --trace trace.ndjson "..."', 'parley inspect -- <agent command>'],
    });
  }
}
