import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface AppendedFileOptions {
  readonly path: string;
  readonly maxBytes?: number;
  readonly keptFiles?: number;
  /** Hears that the file cannot be written, once until it can again. */
  readonly onFault: (error: unknown) => void;
  /** The line that stands where lines were lost. */
  readonly gapLine: (lost: number) => string;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_KEPT_FILES = 10;
/** How many lines may wait for a slow disk; more are lost and counted. */
const MAX_WAITING_LINES = 10_000;

/** A file of lines that only grows, for its owner alone, until it is put away and begun anew. */
export class AppendedFile {
  readonly #options: Required<AppendedFileOptions>;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  #size = 0;
  /** Lines that were lost since the last that could be written. */
  #lost = 0;
  #dropped = 0;
  #isFailing = false;
  #isClosed = false;

  constructor(options: AppendedFileOptions) {
    this.#options = { maxBytes: DEFAULT_MAX_BYTES, keptFiles: DEFAULT_KEPT_FILES, ...options };
  }

  get dropped(): number {
    return this.#dropped;
  }

  append(line: string): void {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING_LINES) return this.#lose(1);
    this.#waiting.push(line);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
    await this.#release();
  }

  async #write(): Promise<void> {
    // What is told in the same moment is written at once.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      try {
        await this.#appendAll(lines);
        this.#isFailing = false;
      } catch (error) {
        await this.#release();
        this.#lose(lines.length);
        if (!this.#isFailing) this.#options.onFault(error);
        this.#isFailing = true;
      }
    }
  }

  async #appendAll(lines: readonly string[]): Promise<void> {
    const { maxBytes, gapLine } = this.#options;
    this.#handle ??= await this.#open();
    if (this.#size >= maxBytes) {
      await this.#putAway();
      this.#handle = await this.#open();
    }
    // A line may have been written in part when the disk was full; the next begins on a line of its own.
    const gap = this.#lost > 0 ? `\n${gapLine(this.#lost)}\n` : '';
    const bytes = Buffer.from(`${gap}${lines.join('\n')}\n`);
    await this.#handle.appendFile(bytes);
    this.#size += bytes.length;
    this.#lost = 0;
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#options;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const handle = await open(path, 'a', 0o600);
    const status = await handle.stat();
    // One that was there before may be open to others.
    if (status.isFile()) await handle.chmod(0o600);
    this.#size = status.size;
    return handle;
  }

  async #putAway(): Promise<void> {
    const { path, keptFiles } = this.#options;
    await this.#release();
    for (let number = keptFiles; number > 0; number -= 1) {
      await rename(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`).catch(ignoreMissing);
    }
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => {});
  }

  #lose(lines: number): void {
    this.#lost += lines;
    this.#dropped += lines;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
