import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { expect, it } from 'vitest';
import { openEventStream } from './event-stream.ts';

const SHORT_STALL_MS = 500;

it('does not take a slow reader for a silent server', async () => {
  await using server = await startFakeModelServer({ script: ['one two three four five six seven'] });
  const events = openEventStream({
    modelName: 'fake',
    request: {
      url: `${server.url}/v1/chat/completions`,
      headers: {},
      body: { stream: true, messages: [{ role: 'user', content: 'hi' }] },
    },
    stallTimeoutMs: SHORT_STALL_MS,
  });
  const seen: string[] = [];
  for await (const arrived of events) {
    if (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, SHORT_STALL_MS + 100));
    seen.push(...arrived.map(({ data }) => data));
  }
  expect(seen.at(-1)).toBe('[DONE]');
});

it('never follows a redirect, which would hand the key to another host', async () => {
  await using elsewhere = await startFakeModelServer({ script: ['stolen'] });
  const server = createServer((_, response) => {
    response.writeHead(307, { location: `${elsewhere.url}/v1/chat/completions` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const events = openEventStream({
    modelName: 'fake',
    request: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`,
      headers: { authorization: 'Bearer secret' },
      body: { stream: true, messages: [{ role: 'user', content: 'hi' }] },
    },
  });
  await expect(events.next()).rejects.toMatchObject({ code: 'protocol', message: expect.stringContaining('redirect') });
  expect(elsewhere.requests).toEqual([]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
