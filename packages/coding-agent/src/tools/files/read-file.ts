import { pathToFileURL } from 'node:url';
import { headOf } from '@parley/models/model';
import { isMissing } from '../../operations/operations.ts';
import { MAX_OUTPUT_CHARACTERS } from '../../text.ts';
import { type Input, objectSchema, optionalBoolean, optionalInteger, requireText } from '../input.ts';
import { failure, failureFrom } from '../outcome.ts';
import { resolvePath, shownPath } from '../paths.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tool.ts';
import { showNotebook } from './notebook.ts';
import { tellMissing } from './similar-paths.ts';

interface Args {
  readonly path: string;
  readonly line: number | undefined;
  readonly limit: number | undefined;
  readonly column: number;
  readonly isRaw: boolean;
}

/** More than this is cut, with a note on how to read on. */
const MAX_LINES = 2000;
/** Leaves room for the notes. */
const MAX_CHARACTERS = MAX_OUTPUT_CHARACTERS - 1000;
/** Of one line among others. */
const MAX_LINE_CHARACTERS = 2000;

const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

export const readFile: Tool<Args> = {
  name: 'read_file',
  kind: 'read',
  level: 1,
  description: `Reads a text file or a notebook, or shows an image or a PDF (with "line": its text). Lines are numbered from 1 in the answer. Long files are cut at ${MAX_LINES} lines or ${MAX_CHARACTERS} characters: use "line" and "limit" to read on. Read a file before you edit it.`,
  inputSchema: objectSchema(
    {
      path: { type: 'string', description: 'The file, relative to the working directory, absolute, or from "~/".' },
      line: { type: 'integer', description: 'First line wanted, counted from 1.', minimum: 1 },
      limit: { type: 'integer', description: 'How many lines.', minimum: 1 },
      column: { type: 'integer', description: 'First character wanted of each line, for very long ones.', minimum: 1 },
      raw: { type: 'boolean', description: 'Show a notebook as the JSON that it is.' },
    },
    ['path'],
  ),
  parse: (input: Input) => ({
    path: requireText(input, 'path'),
    line: optionalInteger(input, 'line', { min: 1, max: 10_000_000 }),
    limit: optionalInteger(input, 'limit', { min: 1, max: 1_000_000 }),
    column: optionalInteger(input, 'column', { min: 1, max: 100_000_000 }) ?? 1,
    isRaw: optionalBoolean(input, 'raw'),
  }),
  describe({ path, line, limit }, { cwd }) {
    const file = resolvePath(path, cwd);
    return {
      title: `Read ${shownPath(file, cwd)}${rangeOf(line, limit)}`,
      locations: [{ path: file, ...(line !== undefined && { line }) }],
      subject: { type: 'paths', paths: [file] },
    };
  },
  async run(context) {
    const { args, cwd, operations, signal } = context;
    const path = resolvePath(args.path, cwd);
    const ending = path.split('.').at(-1)?.toLowerCase() ?? '';
    try {
      const mimeType = IMAGES[ending];
      if (mimeType) return await readImage(context, path, mimeType);
      if (ending === 'pdf') return await readPdf(context, path);
      const part = ending === 'ipynb' ? undefined : await readPart(context, path);
      if (part) return part;
      const text = await operations.files.read(path, { signal });
      operations.seen.note(path, text);
      const notebook = ending === 'ipynb' && !args.isRaw ? showNotebook(text) : undefined;
      return numberLines(notebook ?? text.replace(/^\uFEFF/, ''), args);
    } catch (error) {
      return explain(error, context, path);
    }
  },
};

/** The lines that are wanted, where the rest need not be sent; undefined where the whole file is read. */
async function readPart(context: ToolContext<Args>, path: string): Promise<ToolOutcome | undefined> {
  const { args, operations, signal } = context;
  const { line = 1, limit } = args;
  if (limit === undefined || limit > MAX_LINES) return undefined;
  const text = await operations.files.readLines?.(path, { line, limit }, { signal });
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  // Some clients send the whole file all the same, and a file that ends before the range has to be told as such.
  if (lines.length > limit || lines.length === 0) return undefined;
  const numbered = numberLines(text.replace(/^\uFEFF/, ''), args, line);
  const note = lines.length < limit ? '' : `\n(read on with line: ${line + limit})`;
  return { ...numbered, text: numbered.text + note, rawOutput: { lines: lines.length } };
}

/** Why it cannot be read, and what to do instead. */
async function explain(error: unknown, context: ToolContext<Args>, path: string): Promise<ToolOutcome> {
  const { args, cwd, operations, signal } = context;
  signal.throwIfAborted();
  if (isMissing(error)) return failure(await tellMissing(args.path, context));
  const entry = await operations.files.stat(path).catch(() => undefined);
  if (entry?.type === 'directory') return failure(`${shownPath(path, cwd)} is a directory; use list_files.`);
  return failureFrom(error, signal);
}

function rangeOf(line = 1, limit?: number): string {
  if (limit !== undefined) return limit === 1 ? ` (line ${line})` : ` (lines ${line}-${line + limit - 1})`;
  return line > 1 ? ` (from line ${line})` : '';
}

async function readImage(
  { operations, signal }: ToolContext<Args>,
  path: string,
  mimeType: string,
): Promise<ToolOutcome> {
  const bytes = await operations.files.readBytes(path, { signal });
  const { readImageFacts } = await import('@parley/models/media');
  // What is none would be refused with the whole conversation.
  if (!readImageFacts(Buffer.from(bytes))) return failure(`${path} is no image, though it is called one.`);
  const data = Buffer.from(bytes).toString('base64');
  return {
    text: `An image of ${bytes.length} bytes.`,
    rawOutput: { mimeType, bytes: bytes.length },
    content: [{ type: 'image', mimeType, data }],
  };
}

/** As it is where it can be sent; as text where that was asked for by lines, or it is too large. */
async function readPdf({ args, operations, signal }: ToolContext<Args>, path: string): Promise<ToolOutcome> {
  const { documentFault, countPages, GET_PDFTOTEXT, PDF_TYPE, pdfText } = await import('@parley/models/media');
  const bytes = await operations.files.readBytes(path, { signal });
  const fault = documentFault(bytes);
  if (fault !== undefined || args.line !== undefined || args.limit !== undefined) {
    const text = await pdfText(bytes);
    if (text !== undefined) return numberLines(text, args);
    return failure(`The PDF cannot be read${fault === undefined ? ' by lines' : `: ${fault}`}. ${GET_PDFTOTEXT}.`);
  }
  const pages = countPages(bytes);
  return {
    text: `A PDF of ${bytes.length} bytes${pages > 0 ? ` and ${pages} pages` : ''}.`,
    rawOutput: { mimeType: PDF_TYPE, bytes: bytes.length, ...(pages > 0 && { pages }) },
    content: [
      {
        type: 'resource',
        resource: { uri: pathToFileURL(path).href, mimeType: PDF_TYPE, blob: Buffer.from(bytes).toString('base64') },
      },
    ],
  };
}

/** The wanted lines of a text whose first line has the number `first`. */
function numberLines(text: string, { line = 1, limit = MAX_LINES, column }: Args, first = 1): ToolOutcome {
  if (text === '') return { text: 'The file is empty.', rawOutput: { lines: 0, totalLines: 0 } };
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const total = first - 1 + lines.length;
  if (line > total) return failure(`The file has only ${total} lines.`);
  const wanted = lines.slice(line - first, line - first + Math.min(limit, MAX_LINES));
  const maxLine = wanted.length === 1 ? MAX_CHARACTERS - 100 : MAX_LINE_CHARACTERS;
  const numbered: string[] = [];
  let characters = 0;
  for (const [index, content] of wanted.entries()) {
    const row = `${String(line + index).padStart(5)}  ${cutLine(content, { number: line + index, column, maxLine })}`;
    characters += row.length + 1;
    if (characters > MAX_CHARACTERS && numbered.length > 0) break;
    numbered.push(row);
  }
  const next = line + numbered.length;
  const rest = total - (next - 1);
  const note = rest > 0 ? `\n(${rest} more lines; read on with line: ${next})` : '';
  return { text: numbered.join('\n') + note, rawOutput: { lines: numbered.length, totalLines: total } };
}

interface Cut {
  readonly number: number;
  readonly column: number;
  readonly maxLine: number;
}

/** A part of a line, and how to read on where it is longer. */
function cutLine(content: string, { number, column, maxLine }: Cut): string {
  const part = headOf(content.slice(column - 1), maxLine);
  const next = column + part.length;
  if (next > content.length) return part;
  return `${part} (line ${number} has ${content.length} characters; read on with line: ${number}, limit: 1, column: ${next})`;
}
