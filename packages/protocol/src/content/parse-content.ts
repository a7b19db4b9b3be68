import type { ContentBlock } from '../v1/types.gen.ts';
import { validators } from '../v1/validators.gen.ts';
import { list } from '../validation/checks.ts';
import { parse } from '../validation/parse.ts';
import type { INVALID } from '../validation/problem.ts';

/** Reads content blocks from outside: an array of blocks, one block, or plain text. */
export function parseContent(value: unknown): ContentBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return [parse(validators.ContentBlock, value)];
  return parse((items) => list(items, validators.ContentBlock) as ContentBlock[] | typeof INVALID, value);
}
