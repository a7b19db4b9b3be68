import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect } from '@parley/client';
import { needs, program } from '@parley/testing/needs';
import { httpAgent } from '@parley/transports/http';
import { webSocketAgent } from '@parley/transports/websocket';
import { afterAll, expect, it } from 'vitest';

const TOKEN = 'a-token-for-the-test';
const runtime = mkdtempSync(join(tmpdir(), 'parley-network-'));
afterAll(() => rmSync(runtime, { recursive: true, force: true }));

it('network-agent.ts serves clients over WebSocket and HTTP, and ends in good order', async () => {
  const { url, stop } = await startAgent();
  for (const source of [
    webSocketAgent(url.replace('http', 'ws'), { token: TOKEN }),
    httpAgent(url, { token: TOKEN }),
  ]) {
    await using connection = await connect(source);
    const session = await connection.newSession({ cwd: '/' });
    let said = '';
    for await (const event of session.prompt('hello')) if (event.type === 'text') said += event.text;
    expect(said).toBe('You said: hello');
  }
  expect(await stop()).toBe(0);
});

it('network-smoke.sh talks to it with nothing but curl', needs(program('curl')), async () => {
  const { url, stop } = await startAgent();
  const script = fileURLToPath(new URL('network-smoke.sh', import.meta.url));
  const { stdout } = await promisify(execFile)('sh', [script, url, TOKEN]);
  expect(stdout).toMatch(/^connected: [0-9a-f-]{36}\nsession: \S+\nagent: You said: hello\nturn: end_turn\nclosed\n$/);
  expect(await stop()).toBe(0);
});

async function startAgent(): Promise<{ url: string; stop: () => Promise<number | null> }> {
  const program = fileURLToPath(new URL('network-agent.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', program, '0'], {
    env: { ...process.env, AGENT_TOKEN: TOKEN, XDG_RUNTIME_DIR: runtime },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const [url = ''] = line.split(' ');
  return {
    url,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
