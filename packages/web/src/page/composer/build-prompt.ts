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

/** A file below a folder, which may be one of Windows. */
function fileUri(cwd: string, path: string): string {
  const folder = cwd.replaceAll('\\', '/').replace(/\/+$/, '');
  const whole = `${folder.startsWith('/') ? '' : '/'}${folder}/${path}`;
  return `file://${whole.split('/').map(encodePart).join('/')}`;
}

function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll('%3A', ':');
}
