import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { untilGone } from '@parley/testing/processes';
import { END_TURN } from '@parley/testing/scripted-agent';
import { beforeAll, describe, expect, it } from 'vitest';
import { useParley } from '../support/parley.ts';
import { startServer, writeSettings } from './serving.ts';

const parley = useParley();

beforeAll(() => {
  const [command = '', ...args] = parley.agentWords({});
  writeSettings(parley, { agents: { echo: { command, args } } });
});

describe('parley serve', () => {
  it('hosts our own agent and those of the settings, each at its address, for local tools and by the link', async () => {
    await using server = await startServer(parley);
    const { url, agents, token, tokenFile, portFile, pid } = server.facts;
    expect(server.facts).toMatchObject({ schema: 1, defaultAgent: 'parley', pid: server.process.pid });
    expect(agents).toEqual({ parley: `${url}/parley`, echo: `${url}/echo` });
    expect([tokenFile, portFile].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(pid).toBe(server.process.pid);
    const own = await parley.run(['exec', '--agent', 'local', 'hello']);
    expect(own).toMatchObject({ code: 0, stdout: expect.stringContaining('offline model') });
    const echo = await parley.run(['exec', '--agent', 'local/echo', 'Hi']);
    expect(echo).toMatchObject({ code: 0, stdout: 'You said: Hi\n[done] end_turn\n' });
    const linked = await parley.run(['exec', '--agent', `${url}/echo#token=${token}`, 'Hi']);
    expect(linked).toMatchObject({ code: 0, stdout: 'You said: Hi\n[done] end_turn\n' });
    const wrong = await parley.run(['exec', '--agent', `${url}/echo#token=not-the-token`, 'Hi']);
    expect(wrong).toMatchObject({ code: 7, stdout: '' });
    expect(wrong.stderr).not.toContain('not-the-token');
    const typo = await parley.run(['exec', '--agent', 'local/ecko', 'Hi']);
    expect(typo).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean "echo"?') });
    server.process.kill('SIGTERM');
    const ended = await server.finished;
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/echo[\s\S]*401/) });
    expect(ended.stderr).not.toContain(token);
    expect([existsSync(tokenFile), existsSync(portFile)]).toEqual([true, false]);
  }, 120_000);

  it('keeps sessions when it is started again, and hosts what the command line names as the default', async () => {
    const words = [`told=${parley.agent({})}`];
    const first = await startServer(parley, words);
    expect(first.facts).toMatchObject({ defaultAgent: 'told', store: join(parley.home, 'state/parley/gateway.db') });
    const made = await parley.run(['sessions', 'new', '--agent', 'local', '-s', 'kept']);
    expect(made).toMatchObject({ code: 0 });
    expect(await parley.run(['prompt', '--agent', 'local', '-s', 'kept', 'One'])).toMatchObject({ code: 0 });
    first.process.kill('SIGKILL');
    await first.finished;
    await using _second = await startServer(parley, words);
    const again = await parley.run(['prompt', '--agent', 'local', '-s', 'kept', 'Two']);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('You said:') });
    const listed = await parley.run(['sessions', 'list', '--agent', 'local', '--from-agent', '--all', '--json']);
    expect(JSON.parse(listed.stdout).sessions).toHaveLength(1);
    const [{ sessionId }] = JSON.parse(listed.stdout).sessions;
    const from = ['--store', first.facts.store ?? '', '--agent', 'told'];
    const stored = await parley.run(['sessions', 'list', '--all', '--json', ...from]);
    expect(JSON.parse(stored.stdout).sessions).toMatchObject([{ id: sessionId, agent: 'told' }]);
    const history = await parley.run(['sessions', 'history', sessionId, ...from]);
    expect(history).toMatchObject({ code: 0, stdout: expect.stringMatching(/One[\s\S]*Two/) });
    expect(await parley.run(['status', '-s', sessionId, ...from])).toMatchObject({ code: 0 });
    const watching = parley.start(['sessions', 'watch', sessionId, ...from], { input: undefined });
    await watching.sees('Two');
    expect(await parley.run(['prompt', '--agent', 'local', '-s', 'kept', 'Three'])).toMatchObject({ code: 0 });
    await watching.sees('You said: Three');
    watching.process.kill('SIGINT');
    await watching.finished;
    const others = await parley.run(['sessions', 'list', '--all', '--json', ...from, '--principal', 'ada']);
    expect(JSON.parse(others.stdout).sessions).toEqual([]);
    const none = await parley.run(['sessions', 'list', '--store', 'no-such.db']);
    expect(none).toMatchObject({ code: 4, stderr: expect.stringContaining('no-such.db') });
  }, 120_000);

  it('leaves no process of its agents behind, neither after SIGTERM nor after SIGKILL', async () => {
    const script = {
      on: { 'session/prompt': [{ do: 'tell', what: 'pid' }, { do: 'say', text: ' ' }, { do: 'spawnChild' }, END_TURN] },
    } as const;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await using server = await startServer(parley, [`family=${parley.agent(script)}`]);
      const { stdout } = await parley.run(['exec', '--agent', 'local/family', 'who?']);
      const pids = (stdout.match(/\d+/g) ?? []).map(Number);
      expect(pids).toHaveLength(2);
      server.process.kill(signal);
      await server.finished;
      await untilGone(pids, 60_000);
    }
  }, 180_000);

  it('shows people where everything is, and the link once', async () => {
    const env = { XDG_STATE_HOME: join(parley.home, 'other-state') };
    for (const isFirst of [true, false]) {
      const running = parley.start(['serve', '--port', '0', '--no-store'], { input: undefined, env });
      await running.sees('An editor:');
      running.process.kill('SIGINT');
      const { code, stdout } = await running.finished;
      expect(code).toBe(0);
      expect(
        /In a browser, shown this once: {2}http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\nFor --agent, the same: +http:\/\/127\.0\.0\.1:\d+\/acp#token=[\w-]{43}\n/.test(
          stdout,
        ),
      ).toBe(isFirst);
      expect(stdout).toMatch(/2 agents are served[\s\S]*parley +http.*the default[\s\S]*echo +http\S+\/acp\/echo/);
      expect(stdout).toContain('parley --agent local   (or local/echo)');
      expect(stdout).toContain('in memory; they are gone with the server');
    }
  }, 120_000);
});
