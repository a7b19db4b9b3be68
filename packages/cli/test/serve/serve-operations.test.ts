import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();
const CANARY = 'canary-token-of-ada-5f2c';

beforeAll(() => {
  const [command = '', ...args] = parley.agentWords({});
  writeSettings(parley, { agents: { echo: { command, args } }, serve: { tokens: { ada: { tokenEnv: 'ADA_TOKEN' } } } });
});

describe('watching over a server', () => {
  it('answers health checks to anyone and figures to those with a token; log and audit have no secret', async () => {
    const [log, audit] = [join(parley.home, 'logs', 'serve.log'), join(parley.home, 'logs', 'audit.log')];
    const words = ['--log-file', log, '--log-level', 'debug', '--audit-file', audit];
    await using server = await startServer(parley, words, { env: { ADA_TOKEN: CANARY } });
    const { url, token } = server.facts;
    const ask = async (path: string, bearer?: string) => {
      const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
      const response = await fetch(new URL(path, url), { headers });
      return { status: response.status, text: await response.text() };
    };
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
    // On a busy machine the store may take more than the second after which a server is not ready.
    const ready = { status: 200, text: expect.stringContaining('"ready":true') };
    await vi.waitFor(async () => expect(await ask('/readyz')).toMatchObject(ready), { timeout: 60_000, interval: 100 });
    expect((await ask('/metrics')).status).toBe(401);
    const prompt = `my key is ${CANARY}`;
    const said = await parley.run(['exec', '--agent', `${url}/echo#token=${CANARY}`, prompt]);
    expect(said).toMatchObject({ code: 0 });
    expect((await parley.run(['exec', '--agent', 'local', 'hello'])).code).toBe(0);
    expect((await parley.run(['exec', '--agent', `${url}#token=${CANARY}-wrong`, 'hello'])).code).toBe(7);
    const figures = await ask('/metrics', token);
    expect(figures).toMatchObject({ status: 200, text: expect.stringMatching(/parley_turns_total\{.*agent="echo"/) });
    server.process.kill('SIGTERM');
    const { code, stderr } = await server.finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [logText, auditText] = [log, audit].map((file) => readFileSync(file, 'utf8')) as [string, string];
    expect([log, audit].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    const session = { kind: 'request', method: 'session/prompt', principal: 'ada', agent: 'echo', outcome: 'ok' };
    expect(readLines(logText)).toContainEqual(
      expect.objectContaining({ ...session, id: expect.anything(), sessionId: expect.any(String) }),
    );
    expect(readLines(auditText)).toContainEqual(expect.objectContaining({ kind: 'prompted', principal: 'ada' }));
    expect(readLines(auditText)).toContainEqual(expect.objectContaining({ kind: 'client_refused', status: 401 }));
    for (const text of [logText, auditText, figures.text]) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(token);
    }
  }, 120_000);

  it('gives figures to anyone, or to nobody, as the settings say; and says which file it cannot write', async () => {
    const config = (metrics: 'anyone' | 'off'): string => {
      return writeSettings(parley, { serve: { metrics, log: { level: 'silent' } } });
    };
    for (const [metrics, status] of [
      ['anyone', 200],
      ['off', 404],
    ] as const) {
      config(metrics);
      await using server = await startServer(parley, ['--no-store']);
      const headers = { authorization: `Bearer ${server.facts.token}` };
      const response = await fetch(new URL('/metrics', server.facts.url), metrics === 'off' ? { headers } : {});
      expect(response.status).toBe(status);
      await response.text();
    }
    const file = join(writeSettings(parley, {}), 'below-a-file.log');
    for (const flag of ['--log-file', '--audit-file']) {
      const { code, stderr } = await parley.run(['serve', '--port', '0', flag, file]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot be written to ${file}`)]);
    }
  }, 120_000);
});
