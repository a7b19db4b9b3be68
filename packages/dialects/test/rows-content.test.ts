import type { DialectName, DialectOptions } from '@parley/dialects';
import { v1 } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { openBorder } from './border.ts';

const read = (dialect: DialectName, block: unknown): unknown => {
  const params = openBorder(dialect).readParams('session/prompt', { sessionId: 's', prompt: [block] });
  return (params.prompt as unknown[])[0];
};
const write = (dialect: DialectName, block: unknown): unknown => {
  const params = openBorder(dialect).writeParams('session/prompt', { sessionId: 's', prompt: [block] });
  return (params.prompt as unknown[])[0];
};
const refuse = (dialect: DialectName, block: unknown, options: Partial<DialectOptions> = {}): unknown =>
  openBorder(dialect, options).writeBack({
    jsonrpc: '2.0',
    id: 1,
    method: 'session/prompt',
    params: { sessionId: 's', prompt: [block] },
  })[0];
const isValid = (block: unknown): boolean => {
  const params = { sessionId: 's', prompt: [block] };
  return v1.parseParams('session/prompt', params).prompt.length === 1;
};

const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'file:///w/a%20b.txt', name: 'a b' };

describe('content blocks', () => {
  it('D54 has images of harness in a source', () => {
    const foreign = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: image.data } };
    expect(read('harness', foreign)).toEqual(image);
    expect(write('harness', image)).toEqual(foreign);
    const placed = { ...image, uri: 'file:///w/i.png' };
    expect(write('harness', placed)).toMatchObject(foreign);
    expect(read('harness', write('harness', placed))).toEqual(placed);
    const remote = read('harness', { type: 'image', source: { type: 'url', url: 'https://x.test/i/cat.png?size=2' } });
    expect(remote).toEqual({ type: 'resource_link', uri: 'https://x.test/i/cat.png?size=2', name: 'cat.png' });
    expect(() => isValid(read('harness', { type: 'image', source: { type: 'magic' } }))).toThrow();
  });

  it('D55 puts links and embedded text into words for harness, and refuses what has none', () => {
    expect(write('harness', link)).toMatchObject({ type: 'text', text: '[a b](file:///w/a%20b.txt)' });
    expect(read('harness', write('harness', link))).toEqual(link);
    const resource = { type: 'resource', resource: { uri: 'file:///w/a.md', text: '```\ncode\n```' } };
    const written = write('harness', resource) as { text: string };
    expect(written.text).toBe('file:///w/a.md\n````\n```\ncode\n```\n````');
    expect(read('harness', written)).toEqual(resource);
    expect(refuse('harness', { type: 'audio', data: 'x', mimeType: 'audio/wav' })).toMatchObject({
      error: { code: -32602 },
    });
    expect(refuse('harness', { type: 'resource', resource: { uri: 'u', blob: 'x' } })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it('D56 tags links in camel case in go', () => {
    expect(read('go', { ...link, type: 'resourceLink' })).toEqual(link);
    expect(write('go', link)).toEqual({ ...link, type: 'resourceLink' });
  });

  it('D57 has the fields of an embedded resource on the block itself in go', () => {
    const nested = { type: 'resource', resource: { uri: 'file:///w/a', blob: 'eA==', mimeType: 'text/plain' } };
    const flat = { type: 'resource', uri: 'file:///w/a', blob: 'eA==', mimeType: 'text/plain' };
    expect(read('go', flat)).toEqual(nested);
    expect(write('go', nested)).toEqual(flat);
    expect(read('go', { ...nested, uri: 'file:///other', text: 'other' })).toMatchObject(nested);
    expect(read('go', { type: 'resource', uri: 'file:///w/a' })).toEqual({
      type: 'resource',
      resource: { uri: 'file:///w/a', text: '' },
    });
  });

  it('D58 has no title and no description for links in go, and gives them back to those who keep _meta', () => {
    const full = { ...link, title: 'A', description: 'The file', size: 3 };
    const written = write('go', full);
    expect(written).not.toHaveProperty('title');
    expect(written).not.toHaveProperty('description');
    expect(read('go', written)).toEqual(full);
  });

  it('D59 reads text that Go left out as the empty string', () => {
    expect(read('go', { type: 'text' })).toEqual({ type: 'text', text: '' });
    expect(write('go', { type: 'text', text: '' })).toEqual({ type: 'text', text: '' });
  });

  it('D60 streams text only in go, untagged perhaps, and gives other blocks back to those who keep _meta', () => {
    const border = openBorder('go');
    expect(border.readUpdate({ sessionUpdate: 'agent_message_chunk', content: { text: 'Hi' } })).toEqual({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'Hi' },
    });
    const chunk = { sessionUpdate: 'agent_message_chunk', content: image };
    const written = border.writeUpdate(chunk);
    expect(written.content).toMatchObject({ type: 'text', text: '[image image/png]' });
    expect(border.readUpdate(written)).toEqual(chunk);
  });

  it('D61 takes every media type from go, writes MP3 as it calls it, and refuses unlisted ones only when strict', () => {
    const sound = { type: 'audio', data: 'x', mimeType: 'audio/mpeg' };
    expect(write('go', sound)).toMatchObject({ mimeType: 'audio/mp3' });
    expect(read('go', write('go', sound))).toEqual(sound);
    expect(read('go', { ...sound, mimeType: 'audio/midi' })).toMatchObject({ mimeType: 'audio/midi' });
    const odd = { ...image, mimeType: 'image/bmp' };
    expect(write('go', odd)).toEqual(odd);
    expect(refuse('go', odd, { strict: true })).toMatchObject({ error: { code: -32602 } });
    expect(refuse('go', sound, { strict: true })).toBeUndefined();
  });

  it('D62 names a nameless link of elephant after its last part', () => {
    expect(read('elephant', { type: 'resource_link', uri: 'file:///w/a.txt?x#y' })).toMatchObject({ name: 'a.txt' });
    expect(read('elephant', { type: 'resource_link', uri: 'https://' })).toMatchObject({ name: 'https:' });
    expect(isValid(read('elephant', { type: 'resource_link', uri: 'x:' }))).toBe(true);
    expect(write('elephant', link)).toEqual(link);
  });

  it('D63 finds the media type that elephant left out in the first bytes', () => {
    const typeOf = (type: string, bytes: string): unknown =>
      (read('elephant', { type, data: btoa(bytes) }) as { mimeType: string }).mimeType;
    expect(typeOf('image', '\x89PNG\r\n\x1a\n')).toBe('image/png');
    expect(typeOf('image', '\xff\xd8\xff\xe0')).toBe('image/jpeg');
    expect(typeOf('image', 'RIFF\0\0\0\0WEBPVP8 ')).toBe('image/webp');
    expect(typeOf('audio', 'RIFF\0\0\0\0WAVEfmt ')).toBe('audio/wav');
    expect(typeOf('audio', 'OggS')).toBe('audio/ogg');
    expect(typeOf('audio', 'what is this')).toBe('application/octet-stream');
    expect(read('elephant', { type: 'image', data: '%%%' })).toMatchObject({ mimeType: 'application/octet-stream' });
    expect(write('elephant', image)).toEqual(image);
  });

  it('D64 prefers the text where elephant allows text and blob at once', () => {
    const both = { type: 'resource', resource: { uri: 'u', text: 't', blob: 'YmxvYg==' } };
    const block = read('elephant', both);
    expect(block).toMatchObject({ resource: { uri: 'u', text: 't', _meta: { dialect: { blob: 'YmxvYg==' } } } });
    expect(block).not.toHaveProperty('resource.blob');
    expect(isValid(block)).toBe(true);
  });

  it('D65 sends an overview peer the address of an image, which it may ignore', () => {
    const placed = { ...image, uri: 'file:///w/i.png' };
    expect(write('overview', placed)).toEqual(placed);
    expect(read('overview', image)).toEqual(image);
  });

  it('D66 has titles, priorities in words and custom keys in the annotations of pharo', () => {
    const annotations = { title: 'Warning', priority: 'high', _custom: 'x', audience: ['user'] };
    const block = read('pharo', { type: 'text', text: 'Hi', annotations });
    expect(block).toMatchObject({ annotations: { priority: 1, audience: ['user'] } });
    expect(isValid(block)).toBe(true);
    expect(write('pharo', block)).toEqual({ type: 'text', text: 'Hi', annotations });
    for (const [priority, word] of [
      [0.9, 'high'],
      [0.75, 'high'],
      [0.5, 'medium'],
      [0.3, 'medium'],
      [0.1, 'low'],
      [0, 'low'],
    ]) {
      const ours = { type: 'text', text: 'Hi', annotations: { priority } };
      expect(write('pharo', ours)).toMatchObject({ annotations: { priority: word } });
      expect(read('pharo', write('pharo', ours))).toEqual(ours);
    }
  });

  it('D67 has links in pharo as ACP has them', () => {
    const full = { ...link, mimeType: 'application/pdf', size: 1024, description: 'd' };
    expect(read('pharo', full)).toEqual(full);
    expect(write('pharo', full)).toEqual(full);
  });

  it('D68 has annotations in overview as ACP has them', () => {
    const noted = {
      ...image,
      annotations: { audience: ['assistant'], priority: 0.3, lastModified: '2026-01-01T00:00:00Z' },
    };
    expect(read('overview', noted)).toEqual(noted);
    expect(write('overview', noted)).toEqual(noted);
  });
});
