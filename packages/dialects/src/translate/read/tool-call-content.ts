import { type Fields, isRecord, mapField, rename, without } from '../../fields.ts';
import { dropFacts, keepFacts, keptFact, restore } from '../kept-facts.ts';
import { readContentBlock } from './content.ts';

/** One item of a tool call's content, or undefined where nothing can be made of it. */
export function readToolCallContent(item: unknown): unknown {
  if (!isRecord(item)) return item;
  switch (item.type) {
    case 'content':
      return restore(mapField(item, 'content', (block) => readContentBlock(block)));
    case 'diff':
      return restore(readDiff(item));
    case 'terminal':
      return readTerminal(item);
    default:
      return isBlock(item) ? wrap(item) : item;
  }
}

const BLOCK_TYPES: ReadonlySet<unknown> = new Set([
  'text',
  'image',
  'audio',
  'resource',
  'resource_link',
  'resourceLink',
]);

function isBlock(item: Fields): boolean {
  return BLOCK_TYPES.has(item.type);
}

/** S4:566 lists content blocks as they are, without the wrapper. */
function wrap(block: Fields): Fields {
  const item = keptFact(block, 'item');
  const content = readContentBlock(dropFacts(block, 'item'));
  return { type: 'content', content, ...(isRecord(item) ? { _meta: item } : {}) };
}

/** S2:197 calls the texts `oldContent` and `newContent` and leaves empty ones out; S4:591 adds a media type. */
function readDiff(diff: Fields): Fields {
  const { mimeType } = diff;
  const isGo = diff.newText === undefined && diff.oldText === undefined;
  const renamed = rename(rename(without(diff, 'mimeType'), 'newContent', 'newText'), 'oldContent', 'oldText');
  const filled = isGo ? { ...renamed, oldText: renamed.oldText ?? null, newText: renamed.newText ?? '' } : renamed;
  return keepFacts(filled, { mimeType });
}

/** S4:598 tells command and exit code as well; S2:198 has no place for the id. */
function readTerminal(terminal: Fields): Fields | undefined {
  if (terminal.terminalId === undefined) return undefined;
  const { command, exitCode, ...rest } = terminal;
  return keepFacts(rest, { command, exitCode });
}
