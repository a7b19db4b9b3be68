import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '@parley/client';
import {
  type ContentBlock,
  fileUri,
  imageBlock,
  linkBlock,
  mimeTypeOfPath,
  type PromptCapabilities,
  textBlock,
  textResourceBlock,
} from '@parley/protocol';
import { wordBytes } from '../view/wording.ts';

export interface PromptSetting {
  readonly cwd: string;
  /** For messages: how the agent is called. */
  readonly agentTitle: string;
  readonly capabilities: PromptCapabilities | undefined;
  /** What the agent is told before it. */
  readonly notes?: readonly string[];
}

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Longer files become links, which the agent reads as far as it likes. */
const MAX_EMBEDDED_BYTES = 256 * 1024;
const MAX_MENTIONS = 50;

/**
 * What a person wrote as content for the agent. A file that is named with `@` goes along: an image as an image, text as
 * a part of the prompt where the agent takes that, everything else as a link. Throws before anything is sent when an
 * image is named and the agent takes none.
 */
export async function promptFromText(text: string, setting: PromptSetting): Promise<ContentBlock[]> {
  const { notes = [] } = setting;
  const blocks: ContentBlock[] = [...notes.map((note) => textBlock(`${note}\n\n`)), textBlock(text)];
  for (const path of findMentions(text).slice(0, MAX_MENTIONS)) {
    const block = await blockOfFile(path, setting);
    if (block) blocks.push(block);
  }
  return blocks;
}

/** The paths that are named with `@`, each one once. */
export function findMentions(text: string): string[] {
  const found = text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g);
  return [...new Set([...found].map(([, quoted, plain]) => quoted ?? plain ?? ''))].filter((path) => path !== '');
}

async function blockOfFile(mentioned: string, setting: PromptSetting): Promise<ContentBlock | undefined> {
  const found =
    (await statFile(mentioned, setting.cwd)) ?? (await statFile(mentioned.replace(/[.,;:!?)\]}]+$/, ''), setting.cwd));
  if (!found) return undefined; // No file, but a name or an address such as someone@example.org.
  const { path, size, isDirectory } = found;
  const mimeType = mimeTypeOfPath(path);
  const uri = fileUri(path);
  if (isDirectory) return linkBlock({ uri });
  if (mimeType?.startsWith('image/') && mimeType !== 'image/svg+xml') return imageOfFile(path, size, mimeType, setting);
  if (setting.capabilities?.embeddedContext && size <= MAX_EMBEDDED_BYTES) {
    const text = (await readFile(path)).toString('utf8');
    if (!text.includes('\0')) return textResourceBlock({ uri, text, ...(mimeType !== undefined && { mimeType }) });
  }
  return linkBlock({ uri, size, ...(mimeType !== undefined && { mimeType }) });
}

async function imageOfFile(
  path: string,
  size: number,
  mimeType: string,
  { agentTitle, capabilities }: PromptSetting,
): Promise<ContentBlock> {
  if (!capabilities?.image) {
    throw new UsageError(
      'invalid_prompt',
      `${agentTitle} takes no images, so ${path} was not sent. Describe it in words.`,
    );
  }
  if (size > MAX_IMAGE_BYTES) {
    const sizes = `${wordBytes(size)}, and ${wordBytes(MAX_IMAGE_BYTES)} is the most`;
    throw new UsageError('invalid_prompt', `${path} is too large to be sent: ${sizes}. Make it smaller.`);
  }
  return imageBlock({ data: (await readFile(path)).toString('base64'), mimeType, uri: fileUri(path) });
}

interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly isDirectory: boolean;
}

async function statFile(mentioned: string, cwd: string): Promise<FoundFile | undefined> {
  if (mentioned === '') return undefined;
  const path = resolve(cwd, mentioned);
  const stats = await stat(path).catch(() => undefined);
  if (!stats || !(stats.isFile() || stats.isDirectory())) return undefined;
  return { path, size: stats.size, isDirectory: stats.isDirectory() };
}
