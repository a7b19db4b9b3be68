import { existsSync } from 'node:fs';
import type { Entry } from '@parley/client';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { areGone, isRunning } from '@parley/testing/processes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { person, useAgentProcesses } from './agent-process.ts';

const agents = useAgentProcesses();

const shown = (entries: readonly Entry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.type === 'message') return [`${entry.speaker}: ${entry.text.split('\n')[0]}`];
    return entry.type === 'tool_call' ? [`${entry.title}: ${entry.status}`] : [];
  });

describe('a session', () => {
  it('goes on after kill -9: load shows everything, and the model remembers', async () => {
    const project = await agents.project({ 'a.txt': 'alpha' });
    const server = await startFakeModelServer({
      script: [
        { events: [{ type: 'tool_call', name: 'read_file', input: { path: 'a.txt' } }] },
        'It says alpha.',
        {
          events: [
            { type: 'text', text: 'I will now' },
            { type: 'tool_call', name: 'run_command', input: { command: 'echo $$ > pid; echo begun; sleep 1000' } },
          ],
        },
        'You asked about a.txt.',
      ],
    });
    onTestFinished(() => server.close());
    const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model' };
    const first = await agents.start({ env, permissions: person('allow').permissions });
    const session = await first.connection.newSession({ cwd: project.path });
    await session.prompt('What does a.txt say?').result;
    const interrupted = session.prompt('Run something.');
    for await (const event of interrupted) {
      if (event.type === 'tool_call' && JSON.stringify(event.toolCall.content).includes('begun')) break;
    }
    const pid = Number(await project.read('pid'));
    process.kill(first.pid, 'SIGKILL');
    await expect(interrupted.result).rejects.toThrow();
    expect(await areGone([pid], 5000)).toBe(true);

    const second = await agents.start({ env });
    const loaded = await second.connection.loadSession(session.id, { cwd: project.path });
    expect(shown(loaded.transcript.entries.toArray())).toEqual([
      'user: What does a.txt say?',
      'Read a.txt: completed',
      'agent: It says alpha.',
      'user: Run something.',
      'agent: I will now',
      expect.stringContaining('echo begun'),
    ]);
    expect((await loaded.prompt('What did I ask first?').result).text).toBe('You asked about a.txt.');
    const body = JSON.stringify(server.requests.at(-1)?.body);
    for (const part of [
      'What does a.txt say?',
      'alpha',
      'It says alpha.',
      'Run something.',
      'interrupted before it finished',
    ]) {
      expect(body).toContain(part);
    }
  });

  it('is resumed without being told again, is listed by its title, forked and deleted', async () => {
    const project = await agents.project({ 'a.txt': 'x' });
    const first = await agents.start();
    const session = await first.connection.newSession({ cwd: project.path });
    await session.prompt('read a.txt').result;
    expect(session.transcript.title).toBe('read a.txt');
    await first.connection.close();

    const { connection } = await agents.start();
    const listed = async (): Promise<unknown[]> => {
      const found: unknown[] = [];
      for await (const { sessionId, title } of connection.listSessions({ cwd: project.path }))
        found.push([sessionId, title]);
      return found;
    };
    expect(await listed()).toEqual([[session.id, 'read a.txt']]);
    const resumed = await connection.resumeSession(session.id, { cwd: project.path });
    expect(resumed.transcript.entries.toArray()).toEqual([]);
    // "It" is the file of a turn that another process had.
    expect((await resumed.prompt('read it').result).toolCalls).toMatchObject([{ title: 'Read a.txt' }]);
    const fork = await connection.forkSession(session.id, { cwd: project.path });
    expect((await fork.prompt('read it').result).toolCalls).toMatchObject([{ title: 'Read a.txt' }]);
    await fork.close();
    await connection.deleteSession(fork.id);
    expect(await listed()).toEqual([[session.id, 'read a.txt']]);
    await expect(connection.loadSession('sess_unknown', { cwd: project.path })).rejects.toThrow();
  });

  it('undoes what a turn before the restart did', async () => {
    const project = await agents.project({ 'a.txt': 'before' });
    const { permissions } = person('allow');
    const first = await agents.start({ permissions });
    const session = await first.connection.newSession({ cwd: project.path });
    await session.prompt('replace "before" with "after" in a.txt, then create b.txt with "b"').result;
    expect(await project.read('a.txt')).toBe('after');
    await first.connection.close();
    const { connection } = await agents.start({ permissions });
    const again = await connection.loadSession(session.id, { cwd: project.path });
    const { text } = await again.prompt('/undo').result;
    expect(text).toContain('Put back as before: `a.txt`, `b.txt`');
    expect(await project.read('a.txt')).toBe('before');
    expect(existsSync(project.at('b.txt'))).toBe(false);
    expect((await again.prompt('/undo').result).text).toBe('There is nothing to undo.');
  });

  it('that was cleared stays cleared', async () => {
    const project = await agents.project();
    const server = await startFakeModelServer({ script: ['Hello.', 'Who are you?'] });
    onTestFinished(() => server.close());
    const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model' };
    const first = await agents.start({ env });
    const session = await first.connection.newSession({ cwd: project.path });
    await session.prompt('My name is Ada.').result;
    await session.prompt('/clear').result;
    await first.connection.close();
    const { connection } = await agents.start({ env });
    const again = await connection.loadSession(session.id, { cwd: project.path });
    expect(shown(again.transcript.entries.toArray())[0]).toBe('user: My name is Ada.');
    await again.prompt('Do you know me?').result;
    const messages = JSON.stringify((server.requests.at(-1)?.body as { messages?: unknown } | undefined)?.messages);
    expect(messages).not.toContain('Ada');
    expect(messages).toContain('Do you know me?');
  });

  it('takes its background commands with it', async () => {
    const project = await agents.project();
    const { connection } = await agents.start({ permissions: person('allow').permissions });
    const session = await connection.newSession({ cwd: project.path });
    await session.prompt('run `echo $$ > pid; sleep 1000` in the background').result;
    const pid = Number(await project.read('pid'));
    await session.prompt('hello').result;
    expect(isRunning(pid)).toBe(true);
    await session.close();
    expect(isRunning(pid)).toBe(false);
  });

  it('counts what it has used, over restarts', async () => {
    const project = await agents.project();
    const reply = {
      events: [
        { type: 'text', text: 'Hi.' },
        { type: 'usage', input: 1000, output: 100 },
      ],
    } as const;
    const server = await startFakeModelServer({ script: [reply, reply] });
    onTestFinished(() => server.close());
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url, PARLEY_MODEL: 'anthropic/claude-haiku-4-5' };
    const first = await agents.start({ env });
    const session = await first.connection.newSession({ cwd: project.path });
    await session.prompt('one').result;
    await first.connection.close();
    const { connection } = await agents.start({ env });
    const again = await connection.loadSession(session.id, { cwd: project.path });
    await again.prompt('two').result;
    const { text } = await again.prompt('/cost').result;
    expect(text).toMatch(/^2000 tokens read \(0 of them cached\), 200 written: \$0\.\d{4}\.$/);
    expect(again.transcript.usage).toMatchObject({ used: 1100, size: 200_000, cost: { currency: 'USD' } });
  });
});
