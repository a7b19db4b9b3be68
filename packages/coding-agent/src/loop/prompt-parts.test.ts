import type { ContentBlock } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { partsOfPrompt } from './prompt-parts.ts';

const place = { cwd: '/proj/app', roots: ['/proj/app', '/proj/lib'] };
const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image = (mimeType = 'image/png'): ContentBlock => ({ type: 'image', mimeType, data: 'AAAA' });
const link = (uri: string, name = '', more: object = {}): ContentBlock => ({
  type: 'resource_link',
  uri,
  name,
  ...more,
});

/** Everything that the model reads as text. */
const read = (...blocks: ContentBlock[]): string =>
  partsOfPrompt(blocks, place)
    .map((part) => (part.type === 'text' ? part.text : `<${part.type}>`))
    .join('\n');

describe('what the model reads of a prompt', () => {
  it('has the names of attachments where they stood', () => {
    expect(read(text('hello'), link('file:///proj/app/readme.md', 'readme.md'), text('next'))).toBe(
      'hello\n[readme.md]\nnext\nAttachments:\n[readme.md]: the file readme.md',
    );
  });

  it('gives nameless attachments names with the extension of their type', () => {
    expect(read(image(), image('image/jpeg'), { type: 'audio', mimeType: 'audio/mpeg', data: 'AAAA' })).toBe(
      '[image-1.png]\n<image>\n[image-2.jpg]\n<image>\n[audio-1.mp3]\n<audio>',
    );
    expect(read(image('application/odd'))).toContain('[image-1.png]');
    expect(read({ type: 'audio', mimeType: 'audio/x-odd', data: '' })).toContain('[audio-1.wav]');
  });

  it('tells attachments of one name apart', () => {
    const names = read(
      link('file:///proj/app/a.ts', 'a.ts'),
      link('file:///proj/app/x/a.ts', 'a.ts'),
      link('http://e/a.ts'),
    );
    expect(names.split('\n').slice(0, 3)).toEqual(['[a.ts]', '[a-2.ts]', '[a-3.ts]']);
    expect(read(link('', ''), link('', '')).split('\n').slice(0, 2)).toEqual(['[resource-1]', '[resource-2]']);
  });

  it('shows embedded text, and images inside resources', () => {
    const embedded: ContentBlock = { type: 'resource', resource: { uri: 'file:///proj/app/b.ts', text: 'let b;' } };
    expect(partsOfPrompt([embedded], place)).toEqual([
      { type: 'text', text: '[b.ts]' },
      { type: 'resource', uri: 'file:///proj/app/b.ts', text: 'let b;' },
    ]);
    expect(read({ type: 'resource', resource: { uri: 'x:/p.png', mimeType: 'image/png', blob: 'AAAA' } })).toBe(
      '[p.png]\n<image>',
    );
    expect(read({ type: 'resource', resource: { uri: 'x:/z.zip', mimeType: 'application/zip', blob: 'AAAA' } })).toBe(
      '[z.zip]\nAttachments:\n[z.zip]: x:/z.zip, binary content that cannot be shown',
    );
  });

  it('says where a link leads, and what is known of it', () => {
    const about = (block: ContentBlock): string | undefined => read(block).split(': ').at(1);
    expect(about(link('file:///proj/app/docs/a%20b.md', '', { mimeType: 'text/markdown', size: 12 }))).toBe(
      'the file docs/a b.md (text/markdown, 12 bytes)',
    );
    expect(about(link('/proj/lib/c.ts', 'c'))).toBe('the file /proj/lib/c.ts');
    expect(about(link('file:///etc/passwd', 'p'))).toBe('the file /etc/passwd, which is outside the workspace');
    expect(read(link('https://example.com/x?y=1', 'page'))).toContain('[page]: the page https://example.com/x?y=1');
    expect(read(link('zed:///thread/1', 'thread'))).toContain('[thread]: zed:///thread/1');
    expect(read(link('file://%', 'odd'))).toContain('[odd]: file://%');
  });

  it('lets no name break out of its brackets', () => {
    expect(read(link('file:///proj/app/a', 'a]\n[b'))).toContain('[a___b]');
  });
});
