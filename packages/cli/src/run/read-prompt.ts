import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PromptContent } from '@parley/client';
import { usageError } from '@parley/host/command-line';
import { type ContentBlock, fileUri, imageBlock, linkBlock, mimeTypeOfPath } from '@parley/protocol';
import { wordFileError } from '../config/word-file-error.ts';
import type { CliContext } from '../context.ts';

export interface PromptSource {
  /** The words of the command line. */
  readonly words: readonly string[];
  /** `--file`: a path, or `-` for stdin. */
  readonly file?: string | undefined;
  /** `--attach`: files that go with the prompt. */
  readonly attach?: readonly string[] | undefined;
}

/** Largest prompt or attachment that is read. */
const MAX_PROMPT_BYTES = 16 * 1024 * 1024;
/** After how long we say that we are waiting for stdin. */
const NOTICE_AFTER_MS = 1000;

/** Collects the prompt: from the words, from `--file`, or from stdin when nothing else is given. */
export async function readPrompt(
  { words, file, attach = [] }: PromptSource,
  context: CliContext,
): Promise<PromptContent> {
  const said = words.join(' ');
  const readsStdin = file === '-' || (file === undefined && said === '' && context.stdin.isTTY !== true);
  const text = readsStdin
    ? await readStdin(context)
    : file === undefined
      ? ''
      : await readText(resolve(context.cwd, file));
  const blocks = said === '' ? parseBlocks(text) : undefined;
  const attached = await Promise.all(attach.map((path) => toBlock(resolve(context.cwd, path))));
  if (blocks) return [...blocks, ...attached];
  const prompt = [said, text.trimEnd()].filter((part) => part.trim() !== '').join('\n\n');
  if (prompt === '' && attached.length === 0) {
    throw usageError('There is no prompt.', 'parley exec "what does this project do?"', 'echo "..." | parley exec');
  }
  return [...(prompt === '' ? [] : [prompt]), ...attached];
}

/** Scripts may give content blocks as JSON, as acpx takes them. */
function parseBlocks(text: string): readonly ContentBlock[] | undefined {
  if (!/^\s*\[\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isBlocks = Array.isArray(value) && value.every((each) => typeof each?.type === 'string');
    return isBlocks ? (value as ContentBlock[]) : undefined;
  } catch {
    return undefined;
  }
}

async function readStdin({ stdin, stderr }: CliContext): Promise<string> {
  const notice = setTimeout(() => stderr.write('waiting for the prompt on stdin\n'), NOTICE_AFTER_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stdin) {
      const piece = Buffer.from(chunk);
      bytes += piece.length;
      if (bytes > MAX_PROMPT_BYTES) throw tooLarge('The prompt on stdin');
      chunks.push(piece);
    }
  } finally {
    clearTimeout(notice);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readText(path: string): Promise<string> {
  await requireReadable(path);
  return readFile(path, 'utf8');
}

/** Images are sent; other files are links, which every agent takes and reads for itself. */
async function toBlock(path: string): Promise<ContentBlock> {
  await requireReadable(path);
  const mimeType = mimeTypeOfPath(path);
  const uri = fileUri(path);
  if (mimeType?.startsWith('image/')) {
    return imageBlock({ data: (await readFile(path)).toString('base64'), mimeType, uri });
  }
  return linkBlock({ uri, ...(mimeType !== undefined && { mimeType }) });
}

async function requireReadable(path: string): Promise<void> {
  const facts = await stat(path).catch((error: Error) => {
    throw usageError(`${path} cannot be read: ${wordFileError(error)}`);
  });
  if (!facts.isFile()) throw usageError(`${path} is not a file.`);
  if (facts.size > MAX_PROMPT_BYTES) throw tooLarge(path);
}

function tooLarge(what: string): Error {
  return usageError(
    `${what} is larger than ${MAX_PROMPT_BYTES / 1024 / 1024} MiB; name a file for the agent to read instead.`,
  );
}
