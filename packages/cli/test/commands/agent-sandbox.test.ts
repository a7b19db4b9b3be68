import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { bubblewrap, needs } from '@parley/testing/needs';
import { sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

const BUBBLEWRAP = bubblewrap();

/** Settings with an agent `other` that says hello after the shell script in front of it has run. */
function configure(script: string, more: object = {}): void {
  const [command = '', ...args] = parley.agentWords({ on: { 'session/prompt': sayAndEnd('hello') } });
  const prefix = ['bash', '-c', `${script}; exec "$@"`, 'bash'];
  const folder = join(parley.home, 'config/parley');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ agents: { other: { command, args, prefix, ...more } } }));
  rmSync(join(parley.folder, 'made'), { force: true });
}

const made = (): string => readFileSync(join(parley.folder, 'made'), 'utf8').trim();

describe('our own agent', () => {
  it(
    'runs a command that nobody was asked about in the sandbox, and not in our terminals',
    needs(BUBBLEWRAP),
    async () => {
      const { stdout } = await parley.run(['exec', '--protocol', '1', '--format', 'json', 'run `ps -e`']);
      expect(stdout).toContain('bwrap');
      expect(stdout).not.toContain('terminal/create');
    },
  );

  it('does without the sandbox where the settings turn it off', async () => {
    const folder = join(parley.home, 'config/parley');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ sandbox: 'off' }));
    const { stdout } = await parley.run(['exec', '--protocol', '1', '--format', 'json', 'run `echo here`']);
    expect(stdout).toContain('terminal/create');
  });
});

describe('an agent of the settings', () => {
  it('is started by the words in front of it', async () => {
    configure('echo yes > made');
    const { code, stdout } = await parley.run(['exec', '--format', 'quiet', '--agent', 'other', 'hi']);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'hello' });
    expect(made()).toBe('yes');
  });

  it('does not run without the sandbox that it is to have', async () => {
    configure('echo yes > made', { sandbox: true });
    const { code, stderr } = await parley.run(['exec', '--format', 'quiet', '--agent', 'other', 'hi'], {
      env: { PATH: parley.home },
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain('There is no sandbox');
    expect(existsSync(join(parley.folder, 'made'))).toBe(false);
    const inspected = await parley.run(['inspect', 'other']);
    expect(inspected.stderr).toContain('would start it without one');
  });

  it.each(['flag', 'setting'])('changes only the workspace in a sandbox, by %s', needs(BUBBLEWRAP), async (how) => {
    mkdirSync(join(parley.folder, '.git/hooks'), { recursive: true });
    const script =
      'echo yes > made; echo x > "$HOME/escaped"; echo x > /var/tmp/parley-escaped; echo x > .git/hooks/made';
    configure(`{ ${script}; } 2> /dev/null`, how === 'setting' ? { sandbox: true } : {});
    const flags = how === 'flag' ? ['--sandbox'] : [];
    const { code, stdout, stderr } = await parley.run([
      'exec',
      '--format',
      'quiet',
      '--agent',
      'other',
      ...flags,
      'hi',
    ]);
    expect({ code, stdout: stdout.trim(), stderr }).toMatchObject({ code: 0, stdout: 'hello' });
    expect(made()).toBe('yes');
    const escaped = [join(parley.home, 'escaped'), '/var/tmp/parley-escaped', join(parley.folder, '.git/hooks/made')];
    expect(escaped.filter((path) => existsSync(path))).toEqual([]);
  });

  it.each([
    ['on', 'reached'],
    ['off', 'not reached'],
  ])('has a network that is %s', needs(BUBBLEWRAP), async (network, expected) => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    configure(`(exec 3<> /dev/tcp/127.0.0.1/${port}) 2> /dev/null && echo reached > made || echo not reached > made`, {
      sandbox: { network },
    });
    expect((await parley.run(['exec', '--format', 'quiet', '--agent', 'other', 'hi'])).code).toBe(0);
    expect(made()).toBe(expected);
  });

  it('reaches only the hosts of a list; the user reads which other hosts it wanted', needs(BUBBLEWRAP), async () => {
    const server = createHttpServer((request, response) => response.end(`reached ${request.headers.host}`));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { readonly port: number };
    const ask = (host: string): string => `
      exec 3<> "/dev/tcp/$address/$port" && printf 'GET http://${host}/ HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3 >> made`;
    const script = `
      IFS=:/ read -r _ _ _ address port <<< "$HTTP_PROXY"; ${ask(`localhost:${port}`)}; echo >> made
      ${ask('evil.example')}; ${ask('evil.example')}
      (exec 3<> /dev/tcp/127.0.0.1/${port}) 2> /dev/null && echo reached directly >> made`;
    configure(script, { sandbox: { network: [`localhost:${port}`, '*.example.com'] } });
    const { code, stdout, stderr } = await parley.run(['exec', '--agent', 'other', 'hi']);
    expect({ code, stderr, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('hello') });
    const refusal =
      'The sandbox refused evil.example:80: it is not in agents.other.sandbox.network. To allow it, add "evil.example" there.';
    expect(made().split('\n')).toEqual([`reached localhost:${port}`, refusal, refusal]);
    expect(stderr.split('\n').filter((line) => line.includes(refusal))).toHaveLength(1);
  });

  it.each([
    [['https://a.com/'], 'agents.other.sandbox.network[0]: expected a host such as api.example.com'],
    [['*'], 'agents.other.sandbox.network[0]: expected a host; to allow every host, set network to "on"'],
    ['onn', 'agents.other.sandbox.network: expected one of on, off; did you mean "on"?'],
  ])('is not started with the network %j', async (network, expected) => {
    configure('echo yes > made', { sandbox: { network } });
    const { code, stderr } = await parley.run(['exec', '--agent', 'other', 'hi']);
    expect(code).not.toBe(0);
    expect(stderr).toContain(expected);
    expect(existsSync(join(parley.folder, 'made'))).toBe(false);
    configure('true');
  });

  it('is refused as our own, whose commands have a sandbox already', async () => {
    const { code, stderr } = await parley.run(['exec', '--sandbox', 'hi']);
    expect(code).toBe(2);
    expect(stderr).toContain('by itself');
  });
});
