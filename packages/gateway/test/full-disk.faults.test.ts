import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from '@parley/jsonrpc';
import { needs, onSmallDisk, smallDisk } from '@parley/testing/needs';
import { webSocketAgent } from '@parley/transports/websocket';
import { describe, expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./support/small-disk-gateway.ts', import.meta.url));

async function openOnSmallDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-disk-'));
  const node = [process.execPath, '--import', import.meta.resolve('tsx'), '--conditions=source', PROGRAM];
  const [command = '', ...words] = [...onSmallDisk(folder, 3), ...node];
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
    await rm(folder, { recursive: true });
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return JSON.parse(line.toString()).url;
}

describe('a gateway whose disk is full', needs(smallDisk()), () => {
  it('fails prompts with the reason, stays up and is not ready, and goes on without a restart once there is room', async () => {
    const url = await openOnSmallDisk();
    const get = async (path: string) => {
      const answer = await fetch(new URL(path, url), { headers: { authorization: 'Bearer open-sesame' } });
      return { status: answer.status, text: await answer.text() };
    };
    const { transport } = await webSocketAgent(url.replace('http', 'ws'), { token: 'open-sesame' }).open(
      AbortSignal.timeout(60_000),
    );
    const client = createConnection(transport);
    onTestFinished(() => client.close());
    await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
    const cwd = process.cwd();
    const { sessionId } = (await client.request('session/new', { cwd, mcpServers: [] })) as { sessionId: string };
    const prompt = () => client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    expect(await prompt()).toMatchObject({ stopReason: 'end_turn' });
    expect(await get('/readyz')).toMatchObject({ status: 200 });

    await get('/fill');
    let failure: unknown;
    while (failure === undefined)
      failure = await prompt().then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(failure).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/full|no (space|room)/i),
    });
    await untilStatus(get, 503);
    expect((await get('/readyz')).text).toContain('The store of sessions cannot be written.');
    expect(await get('/healthz')).toMatchObject({ status: 200 });
    expect((await get('/metrics')).text).toContain('parley_store_failures_total 1');
    expect((await get('/metrics')).text).toContain('parley_ready 0');

    await get('/free');
    await untilStatus(get, 200);
    expect(await prompt()).toMatchObject({ stopReason: 'end_turn' });
  }, 120_000);
});

async function untilStatus(get: (path: string) => Promise<{ readonly status: number }>, status: number): Promise<void> {
  while ((await get('/readyz')).status !== status) await new Promise((resolve) => setTimeout(resolve, 50));
}
