import type { ContentBlock } from '@parley/protocol';

const KNOWN: ReadonlySet<string> = new Set<ContentBlock['type']>([
  'text',
  'image',
  'audio',
  'resource',
  'resource_link',
]);

/** MCP's content is ACP's content, as far as ACP knows it. */
export function isContentBlock(block: unknown): block is ContentBlock {
  return KNOWN.has((block as { readonly type?: string } | null)?.type ?? '');
}
