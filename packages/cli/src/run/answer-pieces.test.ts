import type { TranscriptEvent } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { AnswerPieces } from './answer-pieces.ts';

const text = (value: string, messageId?: string): TranscriptEvent => ({
  type: 'message_chunk',
  speaker: 'agent',
  content: { type: 'text', text: value },
  ...(messageId !== undefined && { messageId }),
});
const thought: TranscriptEvent = { type: 'thought_chunk', content: { type: 'text', text: 'hm' } };

function piecesOf(events: readonly TranscriptEvent[], whole: string): readonly string[] {
  const answer = new AnswerPieces();
  for (const event of events) answer.see(event);
  return [...answer.of(whole)];
}

describe('the pieces of an answer', () => {
  it.each<[string, TranscriptEvent[], string, string[]]>([
    ['one message', [text('a'), text('b')], 'ab', ['a', 'b']],
    ['messages by their ids', [text('a', '1'), text('b', '1'), text('c', '2')], 'ab\n\nc', ['a', 'b', '\n\n', 'c']],
    ['messages parted by a thought', [text('a'), thought, text('b')], 'a\n\nb', ['a', '\n\n', 'b']],
    ['messages of white space, which count for nothing', [text(' \n', '1'), text('b', '2')], 'b', ['b']],
    ['nothing', [], '', []],
  ])('are those that came: %s', (_, events, whole, pieces) => {
    expect(piecesOf(events, whole)).toEqual(pieces);
  });

  it.each<[string, TranscriptEvent[], string]>([
    ['messages took turns', [text('a', '1'), text('b', '2'), text('c', '1')], 'ac\n\nb'],
    ['one was told again', [text('a'), { type: 'whole_message', speaker: 'agent', messageId: '1' }], 'b'],
    ['the transcript has them otherwise', [text('a'), text('b')], 'a\n\nb'],
  ])('are the whole of the transcript where %s', (_, events, whole) => {
    expect(piecesOf(events, whole)).toEqual([whole]);
  });
});
