import type { ContentBlock } from '@parley/protocol';
import type { Attachment } from './attachment.ts';
import { findMentions } from './completion.ts';

const MAX_MENTIONS = 50;

/** The content of a prompt: the words, links to the files that were chosen with `@`, and what was attached. */
export function buildPrompt(
  text: string,
  {
    cwd,
    chosen,
    attachments,
  }: { readonly cwd: string; readonly chosen: ReadonlySet<string>; readonly attachments: readonly Attachment[] },
): ContentBlock[] {
  const mentions = findMentions(text).filter((path) => chosen.has(path));
  return [
    ...(text.trim() === '' ? [] : [{ type: 'text', text } as const]),
    ...mentions.slice(0, MAX_MENTIONS).map(
      (path): ContentBlock => ({
        type: 'resource_link',
        name: path.split('/').at(-1) ?? path,
        uri: fileUri(cwd, path),
      }),
    ),
    ...attachments.map(({ block }) => block),
  ];
}

/** What a prompt was built from, so that it can be written anew. */
export interface ReadPrompt {
  readonly text: string;
  /** Files that were chosen with `@`. */
  readonly chosen: readonly string[];
  /** What was attached, in its order. */
  readonly blocks: readonly ContentBlock[];
}

export function readPrompt(prompt: readonly ContentBlock[], cwd: string): ReadPrompt {
  const text = prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const links = new Set(prompt.flatMap((block) => (block.type === 'resource_link' ? [block.uri] : [])));
  return {
    text,
    chosen: findMentions(text).filter((path) => links.has(fileUri(cwd, path))),
    blocks: prompt.filter(({ type }) => type !== 'text' && type !== 'resource_link'),
  };
}

/** A file below a folder, which may be one of Windows. */
function fileUri(cwd: string, path: string): string {
  const folder = cwd.replaceAll('\\', '/').replace(/\/+$/, '');
  const whole = `${folder.startsWith('/') ? '' : '/'}${folder}/${path}`;
  return `file://${whole.split('/').map(encodePart).join('/')}`;
}

function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll('%3A', ':');
}
