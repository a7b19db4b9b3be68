import { isAbsolute, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentPart } from '@parley/models/model';
import type { ContentBlock } from '@parley/protocol';
import { partsOfContent } from './content-parts.ts';

export interface PromptPlace {
  readonly cwd: string;
  readonly roots: readonly string[];
}

type Attachment = Exclude<ContentBlock, { type: 'text' }>;

/**
 * What a person sent, as the model reads it. Each attachment has a name of its own, and `[name]` stands where it was
 * put; what cannot be shown there is described at the end, with the way to read it.
 */
export function partsOfPrompt(blocks: readonly ContentBlock[], place: PromptPlace): readonly ContentPart[] {
  const names = new AttachmentNames();
  const parts: ContentPart[] = [];
  const notes: string[] = [];
  for (const block of blocks) {
    if (block.type === 'text') {
      parts.push(...partsOfContent(block));
      continue;
    }
    const name = names.add(block);
    const note = describe(block, place);
    parts.push({ type: 'text', text: `[${name}]` });
    if (note === undefined) parts.push(...partsOfContent(block));
    else notes.push(`[${name}]: ${note}`);
  }
  return notes.length === 0 ? parts : [...parts, { type: 'text', text: `Attachments:\n${notes.join('\n')}` }];
}

/** The line about an attachment that is not shown itself; undefined for one that is. */
function describe(block: Attachment, place: PromptPlace): string | undefined {
  if (block.type === 'resource_link') {
    const { uri, mimeType, size, description } = block;
    const facts = [mimeType, size == null ? undefined : `${size} bytes`, description].filter((fact) => fact);
    return `${whereIs(uri, place)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
  }
  if (block.type !== 'resource' || 'text' in block.resource) return undefined;
  const { uri, mimeType } = block.resource;
  return /^(image|audio)\/|^application\/pdf$/.test(mimeType ?? '')
    ? undefined
    : `${uri}, binary content that cannot be shown`;
}

function whereIs(uri: string, { cwd, roots }: PromptPlace): string {
  if (/^https?:/i.test(uri)) return `the page ${uri}`;
  const path = pathOf(uri);
  if (path === undefined) return uri;
  const isInside = roots.some((root) => isBelow(path, root));
  if (!isInside) return `the file ${path}, which is outside the workspace`;
  return `the file ${isBelow(path, cwd) ? relative(cwd, path) : path}`;
}

function pathOf(uri: string): string | undefined {
  if (isAbsolute(uri)) return uri;
  try {
    return /^file:/i.test(uri) ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

/** Extensions of the types that have no name of their own. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/svg+xml': '.svg',
  'audio/mpeg': '.mp3',
  'audio/wave': '.wav',
  'audio/x-wav': '.wav',
};

class AttachmentNames {
  readonly #taken = new Set<string>();
  readonly #counts: Record<string, number> = {};

  /** A name for an attachment that no other of the prompt has. */
  add(block: Attachment): string {
    const wanted = this.#nameOf(block).replace(/[[\]\n\r]/g, '_');
    const extension = posix.extname(wanted);
    const stem = wanted.slice(0, wanted.length - extension.length);
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${stem}-${count}${extension}`;
    this.#taken.add(name);
    return name;
  }

  #nameOf(block: Attachment): string {
    switch (block.type) {
      case 'image':
      case 'audio':
        return `${block.type}-${this.#next(block.type)}${extensionOf(block.mimeType)}`;
      case 'resource_link':
        return block.name || lastNameOf(block.uri) || `resource-${this.#next('resource')}`;
      case 'resource':
        return lastNameOf(block.resource.uri) || `resource-${this.#next('resource')}`;
      default:
        return `content-${this.#next('content')}`;
    }
  }

  #next(what: string): number {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
    return this.#counts[what] ?? 1;
  }
}

function extensionOf(mimeType: string): string {
  const known = EXTENSIONS[mimeType];
  if (known !== undefined) return known;
  const subtype = /^(?:image|audio)\/([a-z0-9]+)$/.exec(mimeType)?.[1];
  return subtype === undefined ? (mimeType.startsWith('audio/') ? '.wav' : '.png') : `.${subtype}`;
}

function lastNameOf(uri: string): string {
  const path = uri.replace(/[?#].*$/, '').replace(/\/+$/, '');
  const name = posix.basename(path.replaceAll('\\', '/'));
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
