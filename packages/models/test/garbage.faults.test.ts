import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '@parley/testing/collect-garbage';
import { type Reply, startFakeModelServer } from '@parley/testing/fake-model-server';
import { describe, expect, it } from 'vitest';
import { listModels } from '../src/discovery/list-models.ts';
import { drivers, eventsOf, hello } from './model-drivers.ts';

/** 250 ms are promised; on a busy machine the test itself may be late. What is lost takes for ever. */
const GENEROUS_MS = 3_000;

const phases: readonly { readonly phase: string; readonly reply: Reply; readonly said?: string }[] = [
  { phase: 'before the headers', reply: { hang: 'headers' } },
  { phase: 'before the first byte', reply: { hang: 'body' } },
  { phase: 'in mid-stream', reply: { events: [{ type: 'text', text: 'Once' }, { type: 'stall' }] }, said: 'Once' },
  { phase: 'in the body of an error', reply: { hang: 'error' } },
];

describe.each(drivers)('the $name driver after garbage was collected', ({ create }) => {
  it.each(phases)('cancels $phase at once, and the server sees the connection closed', async ({ reply, said }) => {
    await using server = await startFakeModelServer({ script: [reply] });
    const controller = new AbortController();
    const reason = new Error('the person pressed stop');
    let hasSaid = said === undefined;
    const run = (async () => {
      for await (const event of create(server.url).stream(hello, { signal: controller.signal })) {
        hasSaid ||= event.type === 'text';
      }
    })();
    run.catch(() => {});
    const request = await server.waitForRequest(0);
    while (!hasSaid) await sleep(5);
    await collectGarbage();
    const start = performance.now();
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    expect(performance.now() - start).toBeLessThan(GENEROUS_MS);
    expect(await request.ended).toBe('aborted');
  });

  it.each(create === drivers[0]?.create ? phases : [])(
    'gives up on silence $phase, and the server sees the connection closed',
    async ({ reply }) => {
      await using server = await startFakeModelServer({ script: [reply] });
      const limits = { firstByteTimeoutMs: 300, stallTimeoutMs: 300 };
      const run = eventsOf(create(server.url, limits).stream(hello));
      run.catch(() => {});
      const request = await server.waitForRequest(0);
      await collectGarbage();
      await expect(run).rejects.toMatchObject({ code: 'stalled', isRetryable: true });
      expect(await request.ended).toBe('aborted');
    },
  );
});

describe('asking a server for its models after garbage was collected', () => {
  it.each([
    ['before the headers', ''],
    ['in the body', '{"data": ['],
  ])('ends %s with its time, and with the signal', async (_, body) => {
    const closed: Promise<unknown>[] = [];
    const server = createServer((_request, response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)));
      if (body === '') return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const endpoint = {
      provider: 'custom',
      label: 'here',
      wire: 'openai-chat',
      baseUrl,
      origin: 'environment',
      lists: true,
    } as const;
    const controller = new AbortController();
    const timed = listModels(endpoint, { timeoutMs: 400 });
    const aborted = listModels(endpoint, { timeoutMs: 60_000, signal: controller.signal });
    while (closed.length < 2) await sleep(5);
    await collectGarbage();
    controller.abort();
    expect(await Promise.all([timed, aborted])).toEqual([[], []]);
    await Promise.all(closed);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
