import type { ContentBlock } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent, WholeMessage } from '../event.ts';
import { applyEvent } from './apply-event.ts';
import { piecesOfWhole } from './pieces-of-whole.ts';
import { createTranscript, type Transcript } from './transcript.ts';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const image: ContentBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const whole = (...content: ContentBlock[]): WholeMessage => ({
  type: 'whole_message',
  speaker: 'agent',
  messageId: 'a',
  content,
});
const after = (...events: SessionEvent[]): Transcript =>
  events.reduce<Transcript>((transcript, event) => applyEvent(transcript, event), createTranscript());

describe('the pieces of a whole message', () => {
  it('are chunks where nobody has heard of it, the first with what is known about it', () => {
    expect(piecesOfWhole(createTranscript(), { ...whole(text('a'), image), meta: { mark: 1 } })).toEqual([
      { type: 'message_chunk', speaker: 'agent', messageId: 'a', content: text('a'), meta: { mark: 1 } },
      { type: 'message_chunk', speaker: 'agent', messageId: 'a', content: image },
    ]);
    expect(piecesOfWhole(createTranscript(), whole())).toEqual([]);
  });

  it('are the rest where it goes on with what was told, and nothing where it is the same', () => {
    const known = after(whole(text('one '), text('two')));
    expect(piecesOfWhole(known, whole(text('one two three'), image))).toMatchObject([
      { type: 'message_chunk', content: text(' three') },
      { type: 'message_chunk', content: image },
    ]);
    expect(piecesOfWhole(known, whole(text('one two')))).toEqual([]);
    expect(piecesOfWhole(known, { ...whole(text('one two')), meta: null })).toEqual([
      { type: 'whole_message', speaker: 'agent', messageId: 'a', meta: null },
    ]);
  });

  it('are itself where it replaces what was told, or belongs to a turn that is over', () => {
    const known = after(whole(text('one two')));
    for (const other of [whole(text('one')), whole(image), whole(), whole(text('two one two'))])
      expect(piecesOfWhole(known, other)).toEqual([other]);
    const start = { type: 'turn_started', prompt: [text('go')] } as const;
    const first = applyEvent(applyEvent(createTranscript(), start), whole(text('one')));
    const second = applyEvent(applyEvent(first, { type: 'turn_ended', stopReason: 'end_turn' }), start);
    const longer = whole(text('one two'));
    expect(piecesOfWhole(second, longer)).toEqual([longer]);
  });

  it('make the transcript that the whole message makes', () => {
    const blocks = fc.array(fc.constantFrom(text('a'), text('ab'), text('b'), image), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(blocks, { minLength: 1, maxLength: 4 }), (tellings) => {
        let pieces = createTranscript();
        let wholes = createTranscript();
        for (const content of tellings) {
          const event = whole(...content);
          for (const piece of piecesOfWhole(pieces, event)) pieces = applyEvent(pieces, piece);
          wholes = applyEvent(wholes, event);
        }
        const said = (transcript: Transcript): unknown =>
          JSON.parse(
            JSON.stringify(transcript.entries.toArray().filter((entry) => 'text' in entry && entry.text !== '')),
          );
        expect(said(pieces)).toEqual(said(wholes));
      }),
    );
  });
});
