import { describe, expect, it } from 'vitest';
import { attach, MAX_ATTACHMENT_BYTES, refuse } from './attachment.ts';

const ALL = { image: true, audio: true, embeddedContext: true };
const NONE = { image: false, audio: false, embeddedContext: false };
const png = { name: 'a.png', type: 'image/png', size: 10 };

function file(name: string, type: string, bytes: readonly number[]) {
  return { name, type, size: bytes.length, arrayBuffer: async () => new Uint8Array(bytes).buffer };
}

describe('what goes along with a prompt', () => {
  it('is refused with the reason where the agent cannot take it', () => {
    expect(refuse(png, NONE, 'Gemini')).toBe(
      'Gemini takes no images, so a.png was not attached. Describe it in words.',
    );
    expect(refuse({ ...png, type: 'audio/wav' }, NONE, 'Gemini')).toContain('takes no audio');
    expect(refuse({ ...png, name: 'x.txt', type: 'text/plain' }, NONE, 'Gemini')).toContain(
      'Name a file of the folder with @',
    );
    expect(refuse({ ...png, size: MAX_ATTACHMENT_BYTES + 1 }, ALL, 'Gemini')).toContain('10.0 MB is the most');
    expect(refuse(png, ALL, 'Gemini')).toBeUndefined();
  });

  it('is an image, a sound, a text, or bytes', async () => {
    expect((await attach(file('a.png', 'image/png', [1, 2, 3]), '1')).block).toEqual({
      type: 'image',
      data: 'AQID',
      mimeType: 'image/png',
    });
    expect((await attach(file('a.txt', 'text/plain', [104, 105]), '2')).block).toEqual({
      type: 'resource',
      resource: { uri: 'attachment:///a.txt', text: 'hi', mimeType: 'text/plain' },
    });
    expect((await attach(file('a b.bin', '', [0, 255]), '3')).block).toEqual({
      type: 'resource',
      resource: { uri: 'attachment:///a%20b.bin', blob: 'AP8=' },
    });
    expect((await attach(file('draw.svg', 'image/svg+xml', [60]), '4')).block).toMatchObject({ type: 'resource' });
  });
});
