import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificates } from '@parley/testing/certificates';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();

interface Findings {
  readonly isHealthy: boolean;
  readonly findings: readonly { readonly name: string; readonly verdict: string; readonly says: string }[];
}

async function check(words: readonly string[]): Promise<{ code: number | null; found: Findings; lines: string[] }> {
  const { code, stdout } = await parley.run(['serve', '--check', '--json', ...words]);
  const found = JSON.parse(stdout) as Findings;
  return { code, found, lines: found.findings.map(({ verdict, name, says }) => `${verdict} ${name}: ${says}`) };
}

describe('parley serve --check', () => {
  it('finds nothing wrong in a home that is new, and makes no token there', async () => {
    const { code, found, lines } = await check(['--port', '0']);
    expect({ code, isHealthy: found.isHealthy }).toEqual({ code: 0, isHealthy: true });
    expect(lines).toEqual([
      expect.stringContaining('note settings: none'),
      'ok agent: parley (the default): in the process of the server',
      expect.stringContaining('note token: none yet'),
      'ok port: 127.0.0.1:0 is free',
      expect.stringContaining('ok store: '),
    ]);
    expect((await check(['--port', '0'])).lines).toEqual(lines);
  }, 120_000);

  it('tells everything that is wrong at once, each with what helps', async () => {
    const { cert, key } = createCertificates();
    const loose = join(parley.home, 'loose-token');
    writeFileSync(loose, 'a-token-that-others-read', { mode: 0o644 });
    writeFileSync(join(parley.home, 'cert.pem'), cert);
    writeFileSync(join(parley.home, 'key.pem'), key, { mode: 0o600 });
    await using server = await startServer(parley, ['--no-store']);
    writeSettings(parley, {
      agents: { gone: { command: 'no-such-program-here' } },
      serve: {
        port: server.facts.port,
        tokens: { ada: { tokenFile: '~/loose-token' }, bob: { tokenEnv: 'NO_SUCH_VARIABLE' } },
        tls: { cert: '~/cert.pem', key: '~/key.pem' },
        audit: '~/loose-token/audit.log',
      },
    });
    const { code, lines } = await check([]);
    expect(code).toBe(1);
    const text = lines.join('\n');
    expect(text).toContain('fail agent: gone: no-such-program-here: there is no program "no-such-program-here"');
    expect(text).toMatch(/warn token: .*loose-token has the token of "ada", and others can read it/);
    expect(text).toContain('fail token: serve.tokens.bob: the environment variable NO_SUCH_VARIABLE has no token');
    expect(text).toMatch(/warn certificate: .*cert\.pem, good until/);
    expect(text).toMatch(/fail port: .*a Parley server \(pid \d+\)/);
    expect(text).toMatch(/fail audit: The audit cannot be written to .*audit\.log: (ENOTDIR|EEXIST)/);
    const { stdout } = await parley.run(['serve', '--check']);
    expect(stdout).toMatch(/^FAIL {2}agent: gone[\s\S]*fix: parley agents show gone/m);
    const completed = await parley.run(['__complete', 'exec', '--agent', 'local/']);
    expect(completed.stdout).toBe('local/parley\n');
    const doctor = await parley.run(['doctor', '--no-agent']);
    expect(doctor.stdout).toContain(`${server.facts.url}, hosts parley, pid ${server.facts.pid}`);
  }, 120_000);
});
