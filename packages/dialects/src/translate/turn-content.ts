import { type Fields, inWords, isRecord } from '../fields.ts';

/**
 * What the agent has said in one turn. `harness` repeats it in the result of the prompt: written, it is collected
 * here; read, it is compared with what was streamed already.
 */
export interface TurnContent {
  /** Finished blocks, in order. */
  readonly blocks: Fields[];
  /** Text that the next chunk may continue. */
  text: string;
  characters: number;
  isCancelled: boolean;
}

export function createTurnContent(): TurnContent {
  return { blocks: [], text: '', characters: 0, isCancelled: false };
}

/** Adds a chunk, until the turn has said `maxCharacters`. */
export function addChunk(turn: TurnContent, block: unknown, maxCharacters: number): void {
  if (!isRecord(block)) return;
  const isText = block.type === 'text' && typeof block.text === 'string';
  turn.characters += isText ? (block.text as string).length : sizeOf(block);
  if (turn.characters > maxCharacters) return;
  if (isText && block.annotations === undefined && block._meta === undefined) {
    turn.text += block.text as string;
    return;
  }
  closeText(turn);
  turn.blocks.push(block);
}

/** All that was said, with adjoining text joined. */
export function contentOf(turn: TurnContent): readonly Fields[] {
  closeText(turn);
  return turn.blocks;
}

/** The blocks of a repeated answer that were not streamed. */
export function unsaid(turn: TurnContent, repeated: readonly unknown[], maxCharacters: number): readonly unknown[] {
  // Too much was said to be kept, so it was certainly streamed.
  if (turn.characters > maxCharacters) return [];
  const streamed = contentOf(turn);
  const saidText = joinText(streamed);
  const repeatedText = joinText(repeated);
  const saidOthers = new Set(streamed.filter((block) => !isText(block)).map(identify));
  const isUnsaid = (block: unknown): boolean => isText(block) || !saidOthers.has(identify(block));
  const isAllSaid = saidText.endsWith(repeatedText) || saidText.startsWith(repeatedText);
  if (isAllSaid) return repeated.filter((block) => !isText(block) && isUnsaid(block));
  const isContinued = repeatedText.startsWith(saidText);
  return (isContinued ? skipText(repeated, saidText.length) : repeated).filter(isUnsaid);
}

function closeText(turn: TurnContent): void {
  if (turn.text === '') return;
  turn.blocks.push({ type: 'text', text: turn.text });
  turn.text = '';
}

/** Leaves out the first `count` characters of text. */
function skipText(blocks: readonly unknown[], count: number): readonly unknown[] {
  let left = count;
  return blocks.flatMap((block) => {
    if (!isText(block)) return [block];
    const skipped = Math.min(left, block.text.length);
    left -= skipped;
    if (skipped === 0) return [block];
    return skipped === block.text.length ? [] : [{ ...block, text: block.text.slice(skipped) }];
  });
}

function joinText(blocks: readonly unknown[]): string {
  return blocks.map((block) => (isText(block) ? block.text : '')).join('');
}

function isText(block: unknown): block is Fields & { readonly text: string } {
  return isRecord(block) && block.type === 'text' && typeof block.text === 'string';
}

/** Tells blocks other than text apart. Not by their JSON: a hostile block may be too deep to be written. */
function identify(block: unknown): string {
  if (!isRecord(block)) return '';
  const inner = isRecord(block.resource) ? block.resource : {};
  return [block.type, block.mimeType, block.data, block.uri, inner.uri, inner.text, inner.blob].map(inWords).join('\0');
}

function sizeOf(block: Fields): number {
  return typeof block.data === 'string' ? block.data.length : 1_000;
}
