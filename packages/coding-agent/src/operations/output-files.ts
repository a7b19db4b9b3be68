import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headOf, tailOf } from '@parley/models/model';
import { MAX_OUTPUT_CHARACTERS } from '../text.ts';
import type { KeptOutput, OutputOperations, ShownOutput } from './operations.ts';

/** A file takes no more than this; an endless output must not fill the disk. */
const MAX_FILE_CHARACTERS = 64 * 1024 * 1024;
const HALF = Math.floor(MAX_OUTPUT_CHARACTERS / 2);

/** Where the long outputs of one session are: a folder that only this user can read, removed with the session. */
export class OutputFiles implements OutputOperations, AsyncDisposable {
  readonly #hasFiles: boolean;
  #folder: Promise<string> | undefined;
  #path: string | undefined;
  #count = 0;
  readonly #open = new Set<OpenOutput>();

  /** Without files, long outputs are only shortened: in the sandbox nobody could read them. */
  constructor({ hasFiles = true }: { readonly hasFiles?: boolean } = {}) {
    this.#hasFiles = hasFiles;
  }

  /** Undefined until there is one. */
  get folder(): string | undefined {
    return this.#path;
  }

  open(): KeptOutput {
    const output = new OpenOutput(this.#hasFiles ? () => this.#newFile() : undefined, () => this.#open.delete(output));
    this.#open.add(output);
    return output;
  }

  async shorten(text: string): Promise<ShownOutput> {
    if (text.length <= MAX_OUTPUT_CHARACTERS) return { text };
    const output = this.open();
    output.append(text);
    return output.end();
  }

  async #newFile(): Promise<string> {
    this.#folder ??= realpath(tmpdir())
      .then((temporary) => mkdtemp(join(temporary, 'parley-output-')))
      .then((folder) => {
        this.#path = folder;
        return folder;
      });
    return join(await this.#folder, `${++this.#count}.txt`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open].map((output) => output.end()));
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** An output as it grows: its two ends in memory, and all of it in a file as soon as it is too long to be shown. */
class OpenOutput implements KeptOutput {
  readonly #newFile: (() => Promise<string>) | undefined;
  readonly #onEnd: () => void;
  #head = '';
  #tail = '';
  #length = 0;
  /** What nobody has looked at yet, of much its end, and how much more there was. */
  #unread = '';
  #unreadLost = 0;
  #writing: Promise<Written | undefined> | undefined;

  constructor(newFile: (() => Promise<string>) | undefined, onEnd: () => void) {
    this.#newFile = newFile;
    this.#onEnd = onEnd;
  }

  append(text: string): void {
    this.#unread += text;
    if (this.#unread.length > 4 * HALF) this.#dropUnread();
    const wasShort = this.#length <= MAX_OUTPUT_CHARACTERS;
    const soFar = wasShort ? this.#head + this.#tail : '';
    this.#length += text.length;
    const room = HALF - this.#head.length;
    const head = this.#tail === '' ? headOf(text, room) : '';
    this.#head += head;
    this.#tail += text.slice(head.length);
    if (this.#length <= MAX_OUTPUT_CHARACTERS) return;
    if (this.#tail.length > 4 * HALF) this.#tail = tailOf(this.#tail, 2 * HALF);
    this.#write(wasShort ? soFar + text : text);
  }

  async end(): Promise<ShownOutput> {
    this.#onEnd();
    const written = await this.#writing;
    if (written) await new Promise<void>((resolve) => written.stream.end(resolve));
    return this.#show(written);
  }

  async takeNew(): Promise<string> {
    const written = await this.#writing;
    // What was written by now is in the file, should it be named.
    if (written) await new Promise<void>((resolve) => written.stream.write('', () => resolve()));
    this.#dropUnread();
    const [text, lost] = [this.#unread, this.#unreadLost];
    [this.#unread, this.#unreadLost] = ['', 0];
    return lost === 0 ? text.trimEnd() : `${leftOut(lost, written)}\n${text.trimEnd()}`;
  }

  #dropUnread(): void {
    const rest = tailOf(this.#unread, HALF);
    this.#unreadLost += this.#unread.length - rest.length;
    this.#unread = rest;
  }

  #show(written: Written | undefined): ShownOutput {
    if (this.#length <= MAX_OUTPUT_CHARACTERS) return { text: (this.#head + this.#tail).trimEnd() };
    const left = this.#length - 2 * HALF;
    return { text: `${this.#head}\n${leftOut(left, written)}\n${tailOf(this.#tail, HALF).trimEnd()}` };
  }

  /** Writes in order. A disk that is full costs the file, not the command. */
  #write(text: string): void {
    if (!this.#newFile || this.#length - text.length > MAX_FILE_CHARACTERS) return;
    this.#writing ??= this.#newFile().then(openFile, () => undefined);
    this.#writing = this.#writing.then((written) => {
      written?.stream.write(text);
      return written;
    });
  }
}

function leftOut(characters: number, written: Written | undefined): string {
  const where = written ? `; the whole output is in ${written.path}, which read_file can read` : '';
  return `[... ${characters} characters left out${where} ...]`;
}

interface Written {
  readonly path: string;
  readonly stream: WriteStream;
}

async function openFile(path: string): Promise<Written | undefined> {
  const stream = createWriteStream(path, { mode: 0o600 });
  return new Promise((resolve) => {
    stream.once('open', () => resolve({ path, stream }));
    stream.on('error', () => resolve(undefined));
  });
}
