import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createCertificates } from '@parley/testing/certificates';
import { describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

describe('parley agent --listen', () => {
  it('serves the coding agent for whoever has its token, is found as local, and leaves nothing when Ctrl-C ends it', async () => {
    const running = parley.start(['agent', '--listen', '--port', '0', '--json'], { input: undefined });
    const [line] = await once(createInterface({ input: running.process.stdout }), 'line');
    const { url, port, tokenFile, portFile } = JSON.parse(line);
    expect(url).toBe(`http://127.0.0.1:${port}/acp`);
    expect([statSync(tokenFile).mode & 0o777, statSync(portFile).mode & 0o777]).toEqual([0o600, 0o600]);
    const shown = await parley.run(['agents', 'show', 'local', '--connect', '--json']);
    expect(shown.code).toBe(0);
    expect(JSON.parse(shown.stdout)).toMatchObject({ origin: 'local', agentInfo: { name: expect.any(String) } });
    const byFile = await parley.run(['doctor', '--token-file', tokenFile, '--', `127.0.0.1:${port}`]);
    expect(byFile.stdout).toMatch(/initialize.*ACP 2/);
    running.process.kill('SIGINT');
    const { code, stderr } = await running.finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect([existsSync(tokenFile), existsSync(portFile)]).toEqual([true, false]);
    expect(await parley.run(['agents', 'show', 'local'])).toMatchObject({ code: 6 });
  }, 120_000);

  it('serves https with a certificate', async () => {
    const certificates = createCertificates();
    const [ca, cert, key] = (['ca', 'cert', 'key'] as const).map((name) => {
      const path = join(parley.home, `${name}.pem`);
      writeFileSync(path, certificates[name], { mode: 0o600 });
      return path;
    }) as [string, string, string];
    const words = ['agent', '--listen', '--port', '0', '--json', '--tls-cert', cert, '--tls-key', key];
    const running = parley.start(words, { input: undefined });
    const [line] = await once(createInterface({ input: running.process.stdout }), 'line');
    const { url, tokenFile } = JSON.parse(line);
    expect(url).toMatch(/^https:/);
    const asked = await parley.run(['exec', '--agent', url, '--ca', ca, '--token-file', tokenFile, 'hello']);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('offline model') });
    running.process.kill('SIGTERM');
    await running.finished;
  }, 120_000);

  it('shows its token once, and listens for other machines only when that is said', async () => {
    const state = { XDG_STATE_HOME: `${parley.home}/another-state` };
    for (const isFirst of [true, false]) {
      const running = parley.start(['agent', '--listen', '127.0.0.1:0'], { input: undefined, env: state });
      await running.sees('parley connect');
      running.process.kill('SIGTERM');
      const { stdout } = await running.finished;
      expect(stdout.includes('shown this once')).toBe(isFirst);
    }
    const open = await parley.run(['agent', '--listen', '0.0.0.0:0']);
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-remote') });
    expect(await parley.run(['agent', '--port', '1'])).toMatchObject({ code: 2 });
    expect(await parley.run(['agent', '--listen', 'a b'])).toMatchObject({ code: 2 });
  }, 120_000);
});
