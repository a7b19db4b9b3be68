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
  let hasFollowed = false;
  const events = openEventStream({
    modelName: 'fake',
    request: { url: 'http://127.0.0.1:1/v1', headers: { authorization: 'Bearer secret' }, body: {} },
    fetch: (_, init) => {
      hasFollowed = init.redirect !== 'error';
      return Promise.reject(new TypeError('redirected'));
    },
  });
  await expect(events.next()).rejects.toMatchObject({ code: 'network' });
  expect(hasFollowed).toBe(false);
});
