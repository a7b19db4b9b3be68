import { createHash } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createCertificates } from '@parley/testing/certificates';
import { beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();
const tokens = { ada: 'long-token-of-ada-1', bob: 'long-token-of-bob-1', ci: 'long-token-of-ci-1' };
const adaFile = join(parley.home, 'ada-token');

beforeAll(() => {
  const [command = '', ...args] = parley.agentWords({});
  writeFileSync(adaFile, `${tokens.ada}\n`, { mode: 0o600 });
  const hash = `sha256:${createHash('sha256').update(tokens.ci).digest('hex')}`;
  writeSettings(parley, {
    agents: { echo: { command, args } },
    serve: {
      defaultAgent: 'echo',
      tokens: { ada: { tokenFile: '~/ada-token' }, bob: { tokenEnv: 'BOB_TOKEN' }, ci: { hash } },
    },
  });
});

describe('a server for several people', () => {
  it('lets each in by a token of their own, to sessions of their own, and reads tokens again on SIGHUP', async () => {
    await using server = await startServer(parley, [], { env: { BOB_TOKEN: tokens.bob } });
    const { url } = server.facts;
    const as = (token: string, words: readonly string[]) =>
      parley.run([...words, '--agent', url], { env: { PARLEY_TOKEN: token } });
    for (const token of Object.values(tokens))
      expect(await as(token, ['exec', 'Hi'])).toMatchObject({ code: 0, stdout: 'You said: Hi\n[done] end_turn\n' });
    expect(await as('token-of-nobody', ['exec', 'Hi'])).toMatchObject({ code: 7 });
    expect(await as(tokens.ada, ['sessions', 'new', '-s', 'of-ada'])).toMatchObject({ code: 0 });
    const seenBy = async (token: string): Promise<number> => {
      const { stdout } = await as(token, ['sessions', 'list', '--from-agent', '--all', '--json']);
      return (JSON.parse(stdout) as { sessions: unknown[] }).sessions.length;
    };
    const [adas, bobs] = [await seenBy(tokens.ada), await seenBy(tokens.bob)];
    expect([adas, bobs]).toEqual([2, 1]);
    writeFileSync(adaFile, 'long-token-of-ada-2\n');
    server.process.kill('SIGHUP');
    await server.sees('tokens read again: local, ada, bob, ci', 'stderr');
    expect(await as(tokens.ada, ['exec', 'Hi'])).toMatchObject({ code: 7 });
    expect(await as('long-token-of-ada-2', ['exec', 'Hi'])).toMatchObject({ code: 0 });
    rmSync(adaFile);
    server.process.kill('SIGHUP');
    await server.sees('tokens are as they were: There is no token file', 'stderr');
    expect(await as('long-token-of-ada-2', ['exec', 'Hi'])).toMatchObject({ code: 0 });
    writeFileSync(adaFile, `${tokens.ada}\n`);
  }, 180_000);

  it('serves https and wss with a certificate, and a unix domain socket for a proxy', async () => {
    const env = { BOB_TOKEN: tokens.bob };
    const certificates = createCertificates();
    const [ca, cert, key] = (['ca', 'cert', 'key'] as const).map((name) => {
      const path = join(parley.home, `${name}.pem`);
      writeFileSync(path, certificates[name], { mode: 0o600 });
      return path;
    }) as [string, string, string];
    await using server = await startServer(parley, ['--tls-cert', cert, '--tls-key', key], { env });
    const { url, token } = server.facts;
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/acp$/);
    for (const address of [url, url.replace('https', 'wss')]) {
      const words = ['exec', '--agent', address, '--ca', ca, 'Hi'];
      expect(await parley.run(words, { env: { PARLEY_TOKEN: token } })).toMatchObject({ code: 0 });
    }
    const socketPath = join(parley.home, 'parley.sock');
    const behind = parley.start(['serve', '--socket', socketPath, '--json'], { input: undefined, env });
    await behind.sees(`"url":"unix:${socketPath}"`);
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    const status = await new Promise((resolve, reject) => {
      const asked = request({ socketPath, path: '/acp', method: 'POST', headers: { host: 'localhost' } });
      asked.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      asked.end();
    });
    expect(status).toBe(401);
    const twice = await parley.run(['serve', '--socket', socketPath], { env });
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('Another program listens on') });
    behind.process.kill('SIGKILL');
    await behind.finished;
    const again = parley.start(['serve', '--socket', socketPath, '--json'], { input: undefined, env });
    await again.sees(`"url":"unix:${socketPath}"`);
    again.process.kill('SIGTERM');
    expect(await again.finished).toMatchObject({ code: 0 });
  }, 120_000);
});
