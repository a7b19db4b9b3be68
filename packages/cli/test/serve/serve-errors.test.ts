import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createCertificates } from '@parley/testing/certificates';
import { afterEach, describe, expect, it } from 'vitest';
import { type Finished, useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();
const serve = (words: readonly string[] = [], env: Record<string, string> = {}): Promise<Finished> =>
  parley.run(['serve', '--port', '0', '--json', ...words], { env });

afterEach(() => void writeSettings(parley, {}));

/** A server that must not start: its exit code, and what it says on stderr. */
async function refused(words: readonly string[], env?: Record<string, string>): Promise<[number | null, string]> {
  const { code, stdout, stderr } = await serve(words, env);
  expect(stdout).toBe('');
  return [code, stderr];
}

describe('a server that cannot start', () => {
  it('says who has the port, and what to do', async () => {
    await using server = await startServer(parley);
    const ours = await parley.run(['serve', '--port', String(server.facts.port)]);
    expect(ours).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`a Parley server \\(pid ${server.facts.pid}\\)[\\s\\S]*parley --agent local[\\s\\S]*--port 0`),
      ),
    });
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const taken = await parley.run(['serve', '--port', String(port)]);
    other.close();
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining(`Cannot listen on 127.0.0.1:${port}: `) });
    // Other systems do not tell whose a socket is.
    if (process.platform === 'linux') expect(taken.stderr).toContain(`(pid ${process.pid})`);
    // One that never served has nothing to log.
    expect(taken.stderr).not.toContain('{');
  }, 120_000);

  it('names the key, the place and what is allowed in bad settings', async () => {
    const path = writeSettings(parley, {
      serve: { port: 70_000, prot: 1, metrics: 'all', tls: { crt: 'x' } },
    } as object);
    const [code, stderr] = await refused([]);
    expect(code).toBe(2);
    expect(stderr).toContain(path);
    expect(stderr).toContain('serve.port: expected a whole number from 0 to 65535');
    expect(stderr).toContain('serve.prot: is not a setting; did you mean "port"?');
    expect(stderr).toContain('serve.metrics: expected one of token, anyone, off');
    expect(stderr).toContain('serve.tls.crt: is not a setting; did you mean "cert"?');
    expect(await refused(['--config', 'no-such.json'])).toEqual([2, expect.stringContaining('no-such.json')]);
    const schema = JSON.parse((await parley.run(['config', 'schema'])).stdout);
    const { port, tokens } = schema.properties.serve.properties;
    expect(port).toMatchObject({ type: 'integer', minimum: 0, maximum: 65_535 });
    expect(Object.keys(tokens.additionalProperties.properties)).toEqual(['tokenFile', 'tokenEnv', 'hash', 'caps']);
    const project = join(parley.folder, '.parleyrc.json');
    writeSettings(parley, {});
    writeFileSync(project, JSON.stringify({ serve: { host: '0.0.0.0', allowRemote: true } }));
    const held = await parley.run(['serve', '--check', '--json', '--port', '0', '--no-store']);
    writeFileSync(project, '{}');
    expect(held.stdout).toContain('127.0.0.1:0 is free');
  }, 120_000);

  it('knows agents that are not there: a typo, a program that is missing, a name that cannot be a path', async () => {
    writeSettings(parley, { agents: { reviewer: { command: 'no-such-program-here' } } });
    expect(await refused(['reviewr'])).toEqual([2, expect.stringContaining('Did you mean "reviewer"?')]);
    expect(await refused(['reviewer'])).toEqual([6, expect.stringContaining('no program "no-such-program-here"')]);
    expect(await refused(['./no/such --acp'])).toEqual([6, expect.stringContaining('no program "./no/such"')]);
    expect(await refused(['rpc=reviewer'])).toEqual([2, expect.stringContaining('except rpc, sse, post')]);
    expect(await refused(['--agent', 'parly'])).toEqual([2, expect.stringContaining('Did you mean "parley"?')]);
    // One of the settings that nobody asked for does not hold up the others.
    await using server = await startServer(parley);
    expect(Object.keys(server.facts.agents)).toEqual(['parley', 'reviewer']);
    const tried = await parley.run(['exec', '--agent', 'local/reviewer', 'Hi']);
    expect(tried).toMatchObject({ stdout: '', stderr: expect.stringContaining('no-such-program-here') });
    expect(tried.code).not.toBe(0);
  }, 120_000);

  it('reads tokens and certificates before it listens', async () => {
    const folder = join(parley.home, 'files');
    mkdirSync(folder);
    const at = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    expect(await refused(['--token-file', folder])).toEqual([2, expect.stringMatching(/cannot be read.*EISDIR/)]);
    expect(await refused(['--token-file', at('short', 'abc')])).toEqual([2, expect.stringContaining('has no token')]);
    const isShort = expect.stringContaining('one word of at least 16 plain characters');
    expect(await refused(['--token-file', at('almost', 'fifteen-letters')])).toEqual([2, isShort]);
    writeSettings(parley, { serve: { tokens: { ada: { tokenFile: at('ada', 'fifteen-letters') } } } });
    expect(await refused([])).toEqual([2, isShort]);
    writeSettings(parley, {});
    const { code, stderr } = await parley.run(['serve', '--port', '0'], { env: { PARLEY_TOKEN: 'x' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('PARLEY_TOKEN has no token')]);
    writeSettings(parley, { serve: { tokens: { ada: { tokenFile: join(folder, 'none') } } } });
    expect(await refused([])).toEqual([2, expect.stringMatching(/no token file .*none[\s\S]*umask 077/)]);
    writeSettings(parley, { serve: { tokens: { ada: { hash: 'md5:1' } } } });
    expect(await refused([])).toEqual([2, expect.stringContaining('serve.tokens.ada: hash is sha256:')]);
    writeSettings(parley, { serve: { tokens: { ada: { tokenEnv: 'ADA_TOKEN' } } } });
    expect(await refused([])).toEqual([2, expect.stringContaining('the environment variable ADA_TOKEN has no token')]);
    writeSettings(parley, {});
    const [one, other] = [createCertificates(), createCertificates()];
    const [cert, key] = [at('cert.pem', one.cert), at('key.pem', other.key)];
    expect(await refused(['--tls-cert', cert])).toEqual([2, expect.stringContaining('--tls-key')]);
    expect(await refused(['--tls-cert', cert, '--tls-key', key])).toEqual([
      2,
      expect.stringContaining('is not the key'),
    ]);
    expect(await refused(['--tls-cert', cert, '--tls-key', `${key}x`])).toEqual([2, expect.stringContaining('ENOENT')]);
    expect(await refused(['--tls-cert', at('no.pem', 'x'), '--tls-key', key])).toEqual([
      2,
      expect.stringContaining('it is not PEM'),
    ]);
  }, 120_000);

  it('says that sessions cannot be kept: no such folder, a file of another kind, a full disk', async () => {
    const file = join(parley.home, 'a-file');
    writeFileSync(file, 'no database, and long enough to be looked at');
    const below = await refused(['--store', join(file, 'gateway.db')]);
    expect(below).toEqual([1, expect.stringMatching(/Sessions cannot be kept in .*gateway\.db:[\s\S]*--no-store/)]);
    expect(await refused(['--store', file])).toEqual([1, expect.stringContaining('Sessions cannot be kept in')]);
    if (process.platform === 'linux') {
      // A limit on the size of files is what a full disk is to the store.
      const words = ['serve', '--port', '0', '--store', join(parley.home, 'full.db')];
      const line = [process.execPath, parley.program, ...words].map((word) => `'${word}'`).join(' ');
      const full = spawnSync('bash', ['-c', `trap '' XFSZ; ulimit -f 8; exec ${line}`], {
        env: parley.env,
        encoding: 'utf8',
        timeout: 60_000,
      });
      expect([full.status, full.stderr]).toEqual([1, expect.stringContaining('Sessions cannot be kept in')]);
    }
    const locked = join(parley.home, 'locked');
    mkdirSync(locked, { mode: 0o500 });
    // Root may write everywhere.
    if (process.getuid?.() !== 0)
      expect(await refused(['--store', join(locked, 'gateway.db')])).toEqual([
        1,
        expect.stringContaining('cannot be kept'),
      ]);
    chmodSync(locked, 0o700);
  }, 120_000);

  it('listens for other machines only when that is said', async () => {
    const [code, stderr] = await refused(['--host', '0.0.0.0']);
    expect(code).toBe(2);
    expect(stderr).toContain('--allow-remote');
    expect(await refused(['--socket', 'x', '--host', '::1'])).toEqual([2, expect.stringContaining('--socket takes')]);
    expect(await refused(['--port', 'http'])).toEqual([2, expect.stringContaining('http is not a port')]);
    await using server = await startServer(parley, ['--host', '0.0.0.0', '--allow-remote']);
    // An address that stands for all is none to dial.
    expect(server.facts.url).toBe(`http://127.0.0.1:${server.facts.port}/acp`);
    expect(await parley.run(['exec', '--agent', 'local', 'hello'])).toMatchObject({ code: 0 });
  }, 120_000);
});
