import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SERVE } from '../../src/config/serve-keys.ts';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = join(root, 'examples', 'deploy');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const settings = join(folder, 'config.json');

/** Has the real command look at a command line, with a port that is free. */
async function check(words: readonly string[]): Promise<string> {
  const here = words.map((word) => (word === '/etc/parley/config.json' ? settings : word));
  const { code, stdout, stderr } = await parley.run([...here, '--port', '0', '--check']);
  expect({ words: words.join(' '), code, stderr }).toEqual({ words: words.join(' '), code: 0, stderr: '' });
  return stdout;
}

describe('the examples of a deployment', () => {
  it('have command lines and settings that the command takes', async () => {
    const lines = [...read('parley.service').matchAll(/^ExecStart(?:Pre)?=\/usr\/bin\/env parley (.*)$/gm)];
    expect(lines).toHaveLength(2);
    for (const [, line = ''] of lines)
      expect(await check(line.split(' '))).toContain('ok    agent: parley (the default)');
    const [, entry = ''] = /^ENTRYPOINT (\[.*\])$/m.exec(read('Containerfile')) ?? [];
    const [, command = ''] = /^ {4}command: (\[.*\])$/m.exec(read('compose.yaml')) ?? [];
    const [program, ...words] = JSON.parse(entry) as string[];
    expect(program).toBe('parley');
    await check(words);
    expect(await check([...words, ...(JSON.parse(command) as string[])])).toContain('of ada');
  }, 120_000);

  it('agree with each other and with the repository', () => {
    const { serve } = JSON.parse(readFileSync(settings, 'utf8')) as { serve: { port: number; drainSeconds: number } };
    const { port, drainSeconds } = serve;
    expect(read('Containerfile')).toContain(`EXPOSE ${port}\n`);
    expect(read('Containerfile')).toContain(`http://127.0.0.1:${port}/healthz`);
    expect(read('compose.yaml')).toContain(`127.0.0.1:${port}:${port}`);
    const [, grace] = /^ {4}stop_grace_period: (\d+)s$/m.exec(read('compose.yaml')) ?? [];
    const [, stop] = /^TimeoutStopSec=(\d+)$/m.exec(read('parley.service')) ?? [];
    expect([Number(grace) > drainSeconds, Number(stop) > drainSeconds]).toEqual([true, true]);
    const [, file = ''] = /^ {6}dockerfile: (.*)$/m.exec(read('compose.yaml')) ?? [];
    expect(existsSync(join(root, file))).toBe(true);
    const [, linked = ''] = /\/opt\/parley\/(\S+)/.exec(read('Containerfile')) ?? [];
    expect(existsSync(join(root, linked))).toBe(true);
  });

  it('is a unit file of sections and settings, as far as that can be seen without systemd', () => {
    const sections = ['Unit', 'Service', 'Install'];
    for (const line of read('parley.service')
      .split('\n')
      .filter((each) => each !== '' && !each.startsWith('#'))) {
      const [, section] = /^\[(\w+)\]$/.exec(line) ?? [];
      if (section === undefined) expect(line).toMatch(/^[A-Z][A-Za-z]+=\S/);
      else expect(section).toBe(sections.shift());
    }
    expect(sections).toEqual([]);
  });
});

describe('docs/gateway.md', () => {
  it('names every setting of serve, and every flag of the command', async () => {
    const text = readFileSync(join(root, 'docs', 'gateway.md'), 'utf8');
    if (SERVE.type !== 'object') throw new Error('serve is an object.');
    expect(Object.keys(SERVE.fields).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
    const { stdout } = await parley.run(['serve', '--help']);
    const flags = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag = '']) => flag);
    expect(flags.length).toBeGreaterThan(10);
    expect(flags.filter((flag) => !text.includes(flag))).toEqual([]);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }, 60_000);
});
