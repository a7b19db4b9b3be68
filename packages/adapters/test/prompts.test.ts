import { describe, expect, it } from 'vitest';
import { commandFor } from '../src/index.ts';
import { READY, readReady } from './ready.ts';
import { Scene } from './scene.ts';

const NOTES = `
  const { existsSync } = await import('node:fs');
  note(words.map((word) => (existsSync(word) ? readFileSync(word, 'utf8') : word)));
  say({ type: 'result', text: 'ok' });`;
const IMAGE = { type: 'image', data: Buffer.from('pixels').toString('base64'), mimeType: 'image/png' };

describe('a prompt', () => {
  it('has links and files in it as text', async () => {
    using scene = new Scene(NOTES);
    await using client = await scene.connect();
    await client.prompt(await client.newSession(), [
      { type: 'text', text: 'Look at' },
      { type: 'resource_link', name: 'a b.ts', uri: 'file:///nowhere/a%20b.ts' },
      { type: 'resource', resource: { uri: 'file:///nowhere/c.ts', text: 'let c;' } },
    ]);
    expect(scene.notes()).toEqual([
      ['-p', 'Look at\n[a b.ts](/nowhere/a b.ts)\n<file path="/nowhere/c.ts">\nlet c;\n</file>'],
    ]);
  });

  it.each([
    [{ flag: '-p' }, ['-p', ' --yolo']],
    [{ flag: '--prompt=' }, ['--prompt=--yolo']],
    [{}, [' --yolo']],
    [{ separator: '--' }, ['--', '--yolo']],
  ])('is no option where it begins with a dash: %j', async (prompt, words) => {
    using scene = new Scene(NOTES);
    await using client = await scene.connect({ prompt });
    await client.prompt(await client.newSession(), '--yolo');
    expect(scene.notes()).toEqual([words]);
  });

  it.each(READY)('is no option of %s', async (name) => {
    const { argv, input } = commandFor(await readReady(name), { prompt: '--yolo', cwd: '/work' });
    const place = argv.indexOf('--yolo');
    expect(place === -1 || argv[place - 1] === '--').toBe(true);
    expect([...argv, input].join('\n')).toContain('--yolo');
  });

  it('has no images where the description knows no way for them: they are refused in words', async () => {
    using scene = new Scene(NOTES);
    await using client = await scene.connect();
    expect(client.initialized).toMatchObject({ agentCapabilities: { promptCapabilities: { embeddedContext: true } } });
    await expect(client.prompt(await client.newSession(), [IMAGE])).rejects.toThrow(/image/);
  });

  it.each([
    [{ flag: '--image' }, ['--image', 'pixels', '-p', 'what?']],
    [{ mention: '@{{path}}' }, ['-p', expect.stringMatching(/^what\?\n@.*image-1\.png$/)]],
  ])('has its images as files: %j', async (images, words) => {
    using scene = new Scene(NOTES);
    await using client = await scene.connect({ images });
    await client.prompt(await client.newSession(), [{ type: 'text', text: 'what?' }, IMAGE]);
    expect(scene.notes()).toEqual([words]);
  });

  it('has its images as blocks of its message', async () => {
    using scene = new Scene(`note(JSON.parse(readFileSync(0, 'utf8'))); say({ type: 'result', text: 'ok' });`);
    await using client = await scene.connect({
      prompt: { stdin: true, stdinFormat: 'json', message: { content: '{{content}}' } },
      images: { block: { kind: 'picture', base64: '{{data}}', of: '{{mimeType}}' } },
    });
    await client.prompt(await client.newSession(), [{ type: 'text', text: 'what?' }, IMAGE]);
    expect(scene.notes()).toEqual([
      {
        content: [
          { type: 'text', text: 'what?' },
          { kind: 'picture', base64: IMAGE.data, of: 'image/png' },
        ],
      },
    ]);
  });
});
