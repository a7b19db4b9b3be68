import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseScript, startFakeModelServer } from './index.ts';

async function post(url: string, body: unknown): Promise<Response> {
  return await fetch(url, { method: 'POST', body: JSON.stringify(body) });
}

const said = { role: 'user', content: 'hello' };
const LONG_PDF = Buffer.from(`%PDF-1.4 ${'<< /Type /Page >> '.repeat(101)}`).toString('base64');

function withImage(mediaType: string, data: string): object {
  const image = { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
  return { max_tokens: 1, messages: [{ role: 'user', content: [image] }] };
}

describe('the fake model server', () => {
  it.each([
    ['/v1/chat/completions', { messages: [said] }, 'choices.0.message.content'],
    ['/v1/messages', { max_tokens: 5, messages: [said] }, 'content.0.text'],
    ['/v1/responses', { input: 'hello' }, 'output.0.content.0.text'],
    [
      '/v1beta/models/m:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
      'candidates.0.content.parts.0.text',
    ],
  ])('answers a request at %s that does not stream', async (path, body, place) => {
    await using server = await startFakeModelServer({ script: ['plain answer'] });
    const answer: unknown = await (await post(server.url + path, body)).json();
    expect(answer).toHaveProperty(place, 'plain answer');
    expect(server.requests[0]).toMatchObject({ path, lastUserText: 'hello', isStreaming: false });
  });

  it('chooses replies by what the request says and offers', async () => {
    await using server = await startFakeModelServer({
      script: [
        { when: { contains: 'weather' }, events: [{ type: 'text', text: 'sunny' }], repeat: true },
        { when: { tool: 'Bash' }, events: [{ type: 'text', text: 'a shell' }] },
        'anything',
      ],
      fallback: 'fallback',
    });
    const ask = async (content: string, tools: object[] = []): Promise<unknown> =>
      (await post(`${server.url}/v1/chat/completions`, { messages: [{ role: 'user', content }], tools })).json();
    const answer = (text: string): object => ({ choices: [{ message: { content: text } }] });
    expect(await ask('hi')).toMatchObject(answer('anything'));
    expect(await ask('the weather?')).toMatchObject(answer('sunny'));
    expect(await ask('the weather?')).toMatchObject(answer('sunny'));
    expect(await ask('hi', [{ type: 'function', function: { name: 'Bash' } }])).toMatchObject(answer('a shell'));
    expect(await ask('hi')).toMatchObject(answer('fallback'));
  });

  it('refuses, like the real ones, a call without an answer and an answer without a call', async () => {
    await using server = await startFakeModelServer({ fallback: 'fine' });
    const call = {
      role: 'assistant',
      tool_calls: [
        { id: 'a', function: { name: 'f', arguments: '{}' } },
        { id: 'b', function: { name: 'f' } },
      ],
    };
    const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: '' });
    const status = async (messages: object[]): Promise<number> =>
      (await post(`${server.url}/v1/chat/completions`, { messages })).status;
    expect(await status([said, call, result('a'), result('b')])).toBe(200);
    expect(await status([said, call, result('a'), said])).toBe(400);
    expect(await status([said, call])).toBe(400);
    expect(await status([said, result('x')])).toBe(400);
  });

  it('refuses, like the real one, a thinking block behind another beginning than it was written to', async () => {
    await using server = await startFakeModelServer({
      script: [
        {
          events: [
            { type: 'thought', text: 'Hm.', signature: 'sig' },
            { type: 'text', text: 'Yes.' },
          ],
        },
      ],
      fallback: 'fine',
    });
    const url = `${server.url}/v1/messages`;
    const ask = { role: 'user', content: [{ type: 'text', text: 'hi' }] };
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sig' };
    const answer = { role: 'assistant', content: [thought, { type: 'text', text: 'Yes.' }] };
    await (await post(url, { stream: true, max_tokens: 1, system: 'a', messages: [ask] })).text();
    const again = async (system: string): Promise<number> =>
      (await post(url, { max_tokens: 1, system, messages: [ask, answer, ask] })).status;
    expect(await again('a')).toBe(200);
    expect(await again('b')).toBe(400);
  });

  it.each([
    ['an image that is too large', '/v1/messages', withImage('image/png', 'A'.repeat(6 * 1024 * 1024))],
    ['a kind of image that nobody reads', '/v1/messages', withImage('image/tiff', 'AAAA')],
    [
      'too many marks for the cache',
      '/v1/messages',
      { max_tokens: 1, messages: Array.from({ length: 5 }, () => ({ ...said, cache_control: {} })) },
    ],
    [
      'reasoning of which nothing came',
      '/v1/responses',
      {
        input: [
          { type: 'message', ...said },
          { type: 'reasoning', id: 'rs_1' },
          { type: 'message', ...said },
        ],
      },
    ],
    [
      'a kind of image that OpenAI does not read',
      '/v1/responses',
      {
        input: [
          { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:image/bmp;base64,AA' }] },
        ],
      },
    ],
    [
      'a call that is not signed where others are',
      '/v1beta/models/m:generateContent',
      {
        contents: [
          { role: 'user', parts: [{ text: 'hi' }] },
          { role: 'model', parts: [{ functionCall: { name: 'f' }, thoughtSignature: 's' }] },
          { role: 'user', parts: [{ functionResponse: { name: 'f' } }] },
          { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'f' } }] },
        ],
      },
    ],
    [
      'more than 128 tools',
      '/v1/chat/completions',
      {
        messages: [{ role: 'user', content: 'hello' }],
        tools: Array.from({ length: 129 }, (_, index) => ({
          type: 'function',
          function: { name: `tool_${index}`, parameters: { type: 'object', properties: {} } },
        })),
      },
    ],
    [
      'a PDF of too many pages',
      '/v1beta/models/m:generateContent',
      {
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'application/pdf', data: LONG_PDF } }] }],
      },
    ],
  ])('refuses, like the real ones, %s', async (_, path, body) => {
    await using server = await startFakeModelServer({ fallback: 'fine' });
    expect((await post(server.url + path, body)).status).toBe(400);
  });

  it('lists its models in every dialect and says 404 elsewhere', async () => {
    await using server = await startFakeModelServer({ models: ['a', 'b'] });
    const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json();
    expect(await get('/v1/models')).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }] });
    expect(await get('/api/tags')).toMatchObject({ models: [{ name: 'a' }, { name: 'b' }] });
    expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404);
    expect((await post(`${server.url}/elsewhere`, {})).status).toBe(404);
  });

  it('counts tokens for those who ask', async () => {
    await using server = await startFakeModelServer();
    const counted = await post(`${server.url}/v1/messages/count_tokens`, {});
    expect(await counted.json()).toHaveProperty('input_tokens');
    expect(server.requests).toEqual([]);
  });

  it('names the mistake in a script', () => {
    expect(() => parseScript({ replies: ['fine', { evnts: [] }] })).toThrow('replies[1]');
    expect(() => parseScript(7)).toThrow('list of replies');
  });

  it('runs as a program of its own with a script from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fake-model-'));
    const script = join(folder, 'script.json');
    const log = join(folder, 'requests.jsonl');
    writeFileSync(script, JSON.stringify({ replies: ['from a file'], fallback: 'over' }));
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', main, script, '--log', log], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const { url } = JSON.parse(line) as { url: string };
      const answer = await post(`${url}/v1/chat/completions`, { messages: [said] });
      expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'from a file' } }] });
      expect(JSON.parse(readFileSync(log, 'utf8'))).toMatchObject({ wire: 'openai-chat', body: { messages: [said] } });
    } finally {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true });
    }
  });
});
