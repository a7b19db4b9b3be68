import { agent } from '@parley/agent';
import { createConnection } from '@parley/jsonrpc';
import { postgresStore } from '@parley/store/postgres';
import { startFaultProxy } from '@parley/testing/fault-proxy';
import { needs } from '@parley/testing/needs';
import { POSTGRES, startPostgres } from '@parley/testing/postgres';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateway } from '../src/index.ts';
import { operationRoutes } from '../src/operations/index.ts';
import { inProcess } from './support/hosting.ts';

/** Within this time a client hears an answer or the reason why there is none. */
const SOON_MS = 10_000;

async function openOnDatabase() {
  const server = await startPostgres();
  if (!server) throw new Error('There is no PostgreSQL server on this machine.');
  onTestFinished(() => server[Symbol.asyncDispose]());
  const direct = await server.newDatabase();
  const proxy = await startFaultProxy({ port: Number(new URL(direct).port) });
  onTestFinished(() => proxy.close());
  const store = postgresStore({ url: direct.replace(/:\d+\//, `:${proxy.port}/`) });
  const counting = inProcess(() => agent({ name: 'one', version: '1' }).onPrompt(async (turn) => turn.say('1')));
  const served = gateway({ agents: { counting }, store });
  const port = await served.listen({ token: 'open-sesame', routes: operationRoutes({ gateway: served }) });
  onTestFinished(async () => {
    await port.close();
    await served.close();
    await store.close();
  });
  return { port, proxy };
}

describe('a gateway whose connections to the database pass nothing more', needs(POSTGRES), () => {
  it('is not ready meanwhile, and answers lists, loads and prompts within 10 s', async () => {
    const { port, proxy } = await openOnDatabase();
    const readyz = async (): Promise<number> => (await fetch(new URL('/readyz', port.url))).status;
    const { transport } = await webSocketAgent(port.url.replace('http', 'ws'), { token: 'open-sesame' }).open(
      AbortSignal.timeout(60_000),
    );
    const client = createConnection(transport);
    onTestFinished(() => client.close());
    await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const setup = { cwd: '/', mcpServers: [] };
    const { sessionId } = (await client.request('session/new', setup)) as { sessionId: string };
    const prompt = { sessionId, prompt: [{ type: 'text', text: 'go' }] };
    expect(await client.request('session/prompt', prompt)).toMatchObject({ stopReason: 'end_turn' });
    while ((await readyz()) !== 200);

    for (const [method, params] of [
      ['session/list', {}],
      ['session/prompt', prompt],
      ['session/load', { sessionId, ...setup }],
    ] as const) {
      proxy.apply({ kind: 'half_open' });
      const startedAt = performance.now();
      const seen: number[] = [];
      let isAnswered = false;
      const answering = client.request(method, params).finally(() => {
        isAnswered = true;
      });
      while (!isAnswered) seen.push(await readyz());
      expect(await answering).toBeDefined();
      expect(performance.now() - startedAt, method).toBeLessThan(SOON_MS);
      expect(seen, method).toContain(503);
      while ((await readyz()) !== 200);
    }
  }, 120_000);
});
