import { createReadStream } from 'node:fs';
import { HarnessError, LineError } from '../errors.ts';
import { describePlace, type Format } from './format.ts';

/** A file by name, stdin as `-`, or anything that gives bytes or text piece by piece. */
export type LineSource = string | AsyncIterable<Uint8Array | string>;

/** One line that was read, and which one it is. */
export interface Line<Value> {
  readonly value: Value;
  /** Counted from one; empty lines count. */
  readonly line: number;
}

export interface ReadLinesOptions {
  /** What a person calls the source. Default: the name of the file, `stdin` for `-`. */
  readonly name?: string;
  /** Where `-` reads. Default: this process's stdin. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** The longest line that is taken. Default: 256 Mi characters. */
  readonly maxLineCharacters?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_MAX_LINE_CHARACTERS = 256 * 1024 * 1024;
/** Read at once. One line after another is in memory, never the file. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads values line by line, as fast as they are asked for and no faster. Empty lines are skipped. Throws `LineError` with file, line and field
 * for a line that is not of the format.
 */
export async function* readJsonLines<Value>(
  source: LineSource,
  format: Format<Value>,
  options: ReadLinesOptions = {},
): AsyncGenerator<Line<Value>, void, undefined> {
  const file = nameOf(source, options);
  for await (const lines of readTexts(source, options)) {
    for (const { text, line } of lines) {
      yield { value: format.parse(parseJson(text, { file, line }), { file, line }), line };
    }
  }
}

/** All values of a source, for those that are few. */
export async function readAllLines<Value>(
  source: LineSource,
  format: Format<Value>,
  options: ReadLinesOptions = {},
): Promise<readonly Value[]> {
  const values: Value[] = [];
  for await (const { value } of readJsonLines(source, format, options)) values.push(value);
  return values;
}

/** What a person calls a source. */
export function nameOf(source: LineSource, { name }: Pick<ReadLinesOptions, 'name'> = {}): string {
  return name ?? (typeof source !== 'string' ? 'input' : source === '-' ? 'stdin' : source);
}

export interface TextLine {
  readonly text: string;
  readonly line: number;
}

/** The lines that are not empty, as many at a time as come at once. */
export async function* readTexts(
  source: LineSource,
  options: ReadLinesOptions = {},
): AsyncGenerator<readonly TextLine[], void, undefined> {
  const { maxLineCharacters = DEFAULT_MAX_LINE_CHARACTERS, signal } = options;
  const file = nameOf(source, options);
  const decoder = new TextDecoder();
  let line = 0;
  /** Pieces of a line that has not ended; joined once, so that a long line costs no more than its length. */
  let rest: string[] = [];
  let restLength = 0;
  for await (const chunk of openSource(source, options)) {
    signal?.throwIfAborted();
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const found: TextLine[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const whole = rest.length > 0 ? rest.join('') + text.slice(from, end) : text.slice(from, end);
      rest = [];
      restLength = 0;
      from = end + 1;
      line += 1;
      if (whole.trim() !== '') found.push({ text: whole, line });
    }
    if (from < text.length) {
      rest.push(text.slice(from));
      restLength += text.length - from;
      if (restLength > maxLineCharacters) {
        throw new LineError(
          `${describePlace({ file, line: line + 1 })}is longer than ${maxLineCharacters} characters.`,
          {
            line: line + 1,
          },
        );
      }
    }
    if (found.length > 0) yield found;
  }
  const last = rest.join('') + decoder.decode();
  if (last.trim() !== '') yield [{ text: last, line: line + 1 }];
}

function parseJson(text: string, place: { readonly file: string; readonly line: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const start = text.trim();
    const shown = start.length > MAX_SHOWN_CHARACTERS ? `${start.slice(0, MAX_SHOWN_CHARACTERS)}...` : start;
    throw new LineError(`${describePlace(place)}is not JSON: ${shown}`, { line: place.line, cause });
  }
}

const MAX_SHOWN_CHARACTERS = 80;

async function* openSource(source: LineSource, { stdin }: ReadLinesOptions): AsyncGenerator<Uint8Array | string> {
  if (typeof source !== 'string') return yield* source;
  if (source === '-') return yield* stdin ?? process.stdin;
  try {
    yield* createReadStream(source, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new HarnessError('file_unusable', `Cannot read ${source}: ${explainFileError(cause)}`, { cause });
  }
}

/** What a code of the file system means. */
export function explainFileError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EISDIR') return 'it is a folder.';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied.';
  if (code === 'ENOSPC') return 'the disk is full.';
  return message;
}
