import { once } from 'node:events';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { HarnessError } from '../errors.ts';
import { explainFileError } from './read-lines.ts';

/** Takes values and writes each as a line. */
export interface LineWriter extends AsyncDisposable {
  /** Resolves when the line is written. Lines are written in the order of the calls. */
  write(value: object): Promise<void>;
  /** Resolves when all lines are on the disk. */
  close(): Promise<void>;
}

export interface OpenLineWriterOptions {
  /**
   * `new`: the file must not exist. `append`: lines are added; a last line that was torn by a crash is taken away first. `replace`: what was there is
   * gone. Default: `new`.
   */
  readonly mode?: 'new' | 'append' | 'replace';
  /** Where `-` writes. Default: this process's stdout. */
  readonly stdout?: Writable;
  /** Hears what was repaired. */
  readonly onRepair?: (message: string) => void;
}

/** The longest time for which lines may be lost when the machine goes down. A crash of this process alone loses none. */
const SYNC_EVERY_MS = 1000;

/** Opens a file, or stdout as `-`, to write lines to. Folders on the way are made. */
export async function openLineWriter(path: string, options: OpenLineWriterOptions = {}): Promise<LineWriter> {
  if (path === '-') return streamWriter(options.stdout ?? process.stdout);
  const { mode = 'new', onRepair = () => {} } = options;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, { new: 'ax', append: 'a+', replace: 'w' }[mode]);
    if (mode === 'append') await repairEnd(file, path, onRepair);
    return new FileWriter(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new HarnessError('file_unusable', `${path} exists. Continue it, add to it, or replace it, but say so.`, {
        cause,
      });
    }
    throw new HarnessError('file_unusable', `Cannot write ${path}: ${explainFileError(cause)}`, { cause });
  }
}

class FileWriter implements LineWriter {
  readonly #file: FileHandle;
  #last: Promise<void> = Promise.resolve();
  #syncedAt = Date.now();
  #isClosed = false;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  write(value: object): Promise<void> {
    const line = `${JSON.stringify(value)}\n`;
    // One call for the whole line, so that lines of two processes in append mode do not mix.
    const written = this.#last.then(async () => {
      await this.#file.appendFile(line);
      if (Date.now() - this.#syncedAt < SYNC_EVERY_MS) return;
      this.#syncedAt = Date.now();
      await this.#file.datasync();
    });
    this.#last = written.catch(() => {});
    return written;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#last;
    // What is no regular file, such as /dev/stdout, cannot be synced, and need not be.
    await this.#file.datasync().catch(() => {});
    await this.#file.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Writes to a stream, and waits for a slow reader. */
export function streamWriter(stream: Writable): LineWriter {
  let last: Promise<void> = Promise.resolve();
  const close = (): Promise<void> => last.catch(() => {});
  return {
    write(value) {
      last = last.then(async () => {
        if (!stream.write(`${JSON.stringify(value)}\n`)) await once(stream, 'drain');
      });
      return last;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A process that was killed in the middle of a line leaves a piece of it. It holds no result, and would spoil the next line. */
async function repairEnd(file: FileHandle, path: string, onRepair: (message: string) => void): Promise<void> {
  const facts = await file.stat();
  if (!facts.isFile() || facts.size === 0) return;
  const { torn, at } = await readEnd(file, facts.size);
  if (torn === '') return;
  if (isJson(torn)) {
    await file.appendFile('\n');
    return onRepair(`${path}: the last line had no end; it has one now.`);
  }
  await file.truncate(at);
  onRepair(`${path}: the last line was torn (${torn.length} characters); it was taken away.`);
}

/** What stands after the last line end, and where that is. */
async function readEnd(file: FileHandle, size: number): Promise<{ readonly torn: string; readonly at: number }> {
  const pieces: Buffer[] = [];
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - END_BYTES);
    const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const lineEnd = buffer.lastIndexOf(0x0a);
    if (lineEnd >= 0) {
      pieces.unshift(buffer.subarray(lineEnd + 1));
      return { torn: Buffer.concat(pieces).toString(), at: start + lineEnd + 1 };
    }
    pieces.unshift(buffer);
    end = start;
  }
  return { torn: Buffer.concat(pieces).toString(), at: 0 };
}

const END_BYTES = 64 * 1024;

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
