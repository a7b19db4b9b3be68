import {
  fileUri,
  INVALID,
  imageBlock,
  linkBlock,
  mimeTypeOfPath,
  parseContent,
  textBlock,
  textOfContent,
  textResourceBlock,
  ValidationError,
  validators,
} from '@parley/protocol';
import {
  audioBlock,
  blobResourceBlock,
  nameOfUri,
  pathOfFileUri,
  promptWithFiles,
  promptWithImage,
  textOfUpdates,
} from '@parley/protocol/helpers';
import { describe, expect, it } from 'vitest';

describe('block builders', () => {
  it('build blocks of every type that the validator accepts as they are', () => {
    const blocks = [
      textBlock('hello', { annotations: { audience: ['user'] } }),
      imageBlock({ data: 'AA==', mimeType: 'image/png', uri: 'file:///a.png' }),
      audioBlock({ data: 'AA==', mimeType: 'audio/wav' }),
      linkBlock({ uri: 'file:///proj/a%20b.ts', size: 3 }),
      textResourceBlock({ uri: 'file:///a', text: 'x', mimeType: 'text/plain' }),
      blobResourceBlock({ uri: 'file:///a', blob: 'AA==' }),
    ];
    for (const block of blocks) expect(validators.ContentBlock(block)).toBe(block);
    expect(new Set(blocks.map(({ type }) => type)).size).toBe(5);
  });

  it('name a link after the last part of its address', () => {
    expect(linkBlock({ uri: 'file:///proj/a%20b.ts?x=1#y' }).name).toBe('a b.ts');
    expect(linkBlock({ uri: 'https://example.com/', name: 'Example' }).name).toBe('Example');
    expect(nameOfUri('urn:x')).toBe('urn:x');
    expect(nameOfUri('file:///%zz')).toBe('%zz');
  });
});

describe('prompts', () => {
  const files = [{ path: '/proj/a.ts', text: 'let a;' }, { path: '/proj/b.bin' }];

  it('contain the text of files when the agent takes it', () => {
    expect(promptWithFiles('Look', files, { embeddedContext: true })).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'resource', resource: { uri: 'file:///proj/a.ts', text: 'let a;', mimeType: 'text/x-typescript' } },
      { type: 'resource_link', uri: 'file:///proj/b.bin', name: 'b.bin' },
    ]);
  });

  it('link to files otherwise', () => {
    expect(promptWithFiles('Look', files).map(({ type }) => type)).toEqual(['text', 'resource_link', 'resource_link']);
  });

  it('carry an image', () => {
    expect(promptWithImage('What is this?', { data: 'AA==', mimeType: 'image/png' })).toHaveLength(2);
  });
});

describe('text', () => {
  it('of content is its text blocks, one per line', () => {
    expect(textOfContent([textBlock('a'), imageBlock({ data: '', mimeType: '' }), textBlock('b')])).toBe('a\nb');
  });

  it('of updates is the chunks of one speaker, joined without a seam', () => {
    const updates = [
      { sessionUpdate: 'user_message_chunk' as const, content: textBlock('Hi') },
      { sessionUpdate: 'agent_thought_chunk' as const, content: textBlock('hm') },
      { sessionUpdate: 'agent_message_chunk' as const, content: textBlock('Hel') },
      { sessionUpdate: 'agent_message_chunk' as const, content: textBlock('lo') },
      { sessionUpdate: 'plan' as const, entries: [] },
    ];
    expect(textOfUpdates(updates)).toBe('Hello');
    expect(textOfUpdates(updates, 'thought')).toBe('hm');
    expect(textOfUpdates(updates, 'user')).toBe('Hi');
  });
});

describe('parseContent', () => {
  it('reads blocks, one block or plain text', () => {
    expect(parseContent('hi')).toEqual([{ type: 'text', text: 'hi' }]);
    expect(parseContent({ type: 'text', text: 'hi' })).toEqual([{ type: 'text', text: 'hi' }]);
    expect(parseContent([{ type: 'text', text: 'a', annotations: 5 }])).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('says which block lacks what', () => {
    expect(() =>
      parseContent([
        { type: 'text', text: 'a' },
        { type: 'image', data: 'x' },
      ]),
    ).toThrow('[1].mimeType: expected string, got nothing');
    expect(() => parseContent(null)).toThrow(ValidationError);
    expect(validators.ContentBlock(null)).toBe(INVALID);
  });
});

describe('file addresses', () => {
  it.each([
    ['/home/me/a b.ts', 'file:///home/me/a%20b.ts'],
    ['/a#b?c%d', 'file:///a%23b%3Fc%25d'],
    ['C:\\proj\\a.ts', 'file:///C:/proj/a.ts'],
    ['\\\\server\\share\\x', 'file://server/share/x'],
    ['/back\\slash', 'file:///back%5Cslash'],
  ])('go from %s to %s and back', (path, uri) => {
    expect(fileUri(path)).toBe(uri);
    expect(pathOfFileUri(uri)).toBe(path);
  });

  it('are the only ones with a path', () => {
    expect(pathOfFileUri('https://example.com/a')).toBeUndefined();
    expect(pathOfFileUri('file:///%zz')).toBeUndefined();
    expect(pathOfFileUri('file://localhost/a')).toBe('/a');
  });
});

it('guesses MIME types from names', () => {
  expect(mimeTypeOfPath('/a/B.PNG')).toBe('image/png');
  expect(mimeTypeOfPath('/a/constructor')).toBeUndefined();
  expect(mimeTypeOfPath('/a/x.constructor')).toBeUndefined();
});
