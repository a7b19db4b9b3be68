import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentScript, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';
import { RESUMES } from '../support/scripts.ts';

const parley = useParley();

const json = async (...args: string[]) => JSON.parse((await parley.run([...args, '--json'])).stdout);
const say = async (agent: string, ...args: string[]) => {
  const { stdout, stderr, code } = await parley.run(['prompt', '--format', 'quiet', '--agent', agent, ...args]);
  expect(code, stderr).toBe(0);
  return stdout.trim();
};

describe('saved sessions of our own agent', () => {
  it('go on where they were, and are listed, shown and told again', async () => {
    writeFileSync(join(parley.folder, 'a.txt'), 'the content of a\n');
    expect(await say('parley', 'read a.txt')).toContain('the content of a');
    expect(await say('parley', 'list files')).toContain('a.txt');
    const { sessions } = await json('sessions', 'list');
    expect(sessions).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ agent: 'parley', title: 'read a.txt', cwd: parley.folder, state: 'idle' });
    const { stdout } = await parley.run(['sessions', 'history']);
    expect(stdout).toMatch(/^> read a\.txt\n\[tool\] Read a\.txt \(completed\)\n[\s\S]*\n> list files\n/);
    expect((await parley.run(['sessions', 'history', '--limit', '1'])).stdout).not.toContain('read a.txt');
    const events = readLines((await parley.run(['sessions', 'history', '--json'])).stdout);
    expect(events.map(({ cursor }) => cursor)).toEqual(events.map((_, index) => index + 1));
  });

  it('take another title, which stays when they go on', async () => {
    const [{ id }] = (await json('sessions', 'list')).sessions;
    const renamed = await parley.run(['sessions', 'rename', id, 'what', 'is in a']);
    expect(renamed).toMatchObject({ code: 0, stdout: `${id} is called: what is in a\n` });
    await say('parley', 'list files');
    expect((await json('sessions', 'list')).sessions).toMatchObject([{ id, title: 'what is in a' }]);
    await parley.run(['sessions', 'rename', id, 'read a.txt']);
    const missing = await parley.run(['sessions', 'delete', 'zzz']);
    expect(missing.stderr).toContain('There is no session "zzz".');
    expect(missing.stderr).toContain('try: parley sessions list --all');
    expect(missing.stderr).not.toContain('sessions new');
  });

  it('are exported and imported with everything the agent knew', async () => {
    await parley.run(['sessions', 'export', '-o', 'session.json']);
    expect(JSON.parse(readFileSync(join(parley.folder, 'session.json'), 'utf8'))).toMatchObject({
      format: 'parley-session/1',
      session: { agent: 'parley' },
    });
    const id = (await parley.run(['sessions', 'import', 'session.json', '--name', 'copy'])).stdout.trim();
    const told = (await parley.run(['sessions', 'history', 'copy'])).stdout;
    expect(told).toContain('> list files');
    const { code } = await parley.run(['prompt', '-s', 'copy', 'help']);
    expect(code).toBe(0);
    expect((await json('status', '-s', id)).events).toBeGreaterThan(0);
    expect((await parley.run(['sessions', 'export', 'copy', '--markdown'])).stdout).toContain('# read a.txt');
    writeFileSync(join(parley.folder, 'broken.json'), '{"format":"parley-session/1"}');
    expect((await parley.run(['sessions', 'import', 'broken.json'])).code).toBe(2);
  });

  it('keep their mode, and fork', async () => {
    expect((await parley.run(['set', '-s', 'copy', 'mode', 'ask'])).stdout).toBe('mode is ask\n');
    const forked = await parley.run(['sessions', 'fork', 'copy', '--name', 'branch']);
    expect(forked.code, forked.stderr).toBe(0);
    expect((await parley.run(['sessions', 'history', 'branch'])).stdout).toContain('> read a.txt');
    const wrong = await parley.run(['set-mode', '-s', 'copy', 'fly']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('it takes code');
  });

  it('are closed, deleted and pruned', async () => {
    await parley.run(['sessions', 'close', 'branch']);
    const names = async (...flags: string[]) =>
      (await json('sessions', 'list', ...flags)).sessions.map(({ name }: { name?: string }) => name);
    expect(await names()).not.toContain('branch');
    expect(await names('--all')).toContain('branch');
    expect((await parley.run(['sessions', 'delete', 'branch', 'copy'])).code).toBe(0);
    expect(await names('--all')).toEqual([undefined]);
    expect((await parley.run(['sessions', 'prune', '--older-than', '0', '--dry-run'])).stderr).toContain(
      'would delete 1',
    );
    await parley.run(['sessions', 'prune', '--older-than', '0']);
    expect(await names('--all')).toEqual([]);
  });
});

describe('saved sessions of other agents', () => {
  it('are resumed where the agent can, and never told twice', async () => {
    const agent = parley.agent(RESUMES);
    expect(await say(agent, '--name', 'trip', 'one')).toBe('theirs-1 heard one');
    expect(await say(agent, '-s', 'trip', 'two')).toBe('theirs-1 heard two');
    const { stdout } = await parley.run(['sessions', 'history', 'trip']);
    expect(stdout).toBe('> one\ntheirs-1 heard one\n[done] end_turn\n\n> two\ntheirs-1 heard two\n[done] end_turn\n');
  });

  it('are loaded where the agent cannot resume; what it tells again is not written again', async () => {
    const loads: AgentScript = {
      capabilities: { loadSession: true },
      on: {
        'session/load': [
          { do: 'update', update: { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'one' } } },
          {
            do: 'update',
            update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'told again' } },
          },
          { do: 'respond', result: {} },
        ],
        'session/prompt': sayAndEnd('ok'),
      },
    };
    const agent = parley.agent(loads);
    await say(agent, '--name', 'loaded', 'one');
    await say(agent, '-s', 'loaded', 'two');
    expect((await parley.run(['sessions', 'history', 'loaded'])).stdout).toBe(
      '> one\nok\n[done] end_turn\n\n> two\nok\n[done] end_turn\n',
    );
    const taken = await parley.run(['sessions', 'new', '--agent', agent, '-s', 'taken', '--resume-session', 'old-one']);
    expect(taken.code, taken.stderr).toBe(0);
    expect((await parley.run(['sessions', 'history', 'taken'])).stdout).toBe('> one\ntold again\n');
  });

  it('say so when the agent can do neither, or has lost them', async () => {
    const neither = parley.agent({ on: { 'session/prompt': sayAndEnd('ok') } });
    await say(neither, '--name', 'gone', 'one');
    const { code, stderr } = await parley.run(['prompt', '-s', 'gone', 'two']);
    expect(code).toBe(4);
    expect(stderr).toContain('can neither resume nor load');
    const lost = parley.agent({
      ...RESUMES,
      on: { ...RESUMES.on, 'session/resume': [{ do: 'fail', code: -32002, message: 'Resource not found' }] },
    });
    await say(lost, '--name', 'lost', 'one');
    const second = await parley.run(['prompt', '-s', 'lost', 'two']);
    expect(second.code).toBe(4);
    expect(second.stderr).toContain('no longer has the session theirs-1');
    const expired = {
      do: 'fail',
      code: -32002,
      message: 'Session expired',
      data: { kind: 'session_expired' },
    } as const;
    const expires = parley.agent({ ...RESUMES, on: { ...RESUMES.on, 'session/resume': [expired] } });
    await say(expires, '--name', 'expired', 'one');
    const third = await parley.run(['prompt', '-s', 'expired', '--verbose', 'two']);
    expect(third.code).toBe(4);
    expect(third.stderr).toContain('no longer has the session theirs-1');
    expect(third.stderr).not.toContain('trying again');
  });

  it('tell that the agent had lost one and it was opened again', async () => {
    const expired = {
      do: 'fail',
      code: -32002,
      message: 'Session expired',
      data: { kind: 'session_expired' },
    } as const;
    const agent = parley.agent({
      capabilities: { loadSession: true },
      on: { 'session/prompt': [expired], 'session/load': [{ do: 'respond', result: {} }] },
    });
    const { code, stderr } = await parley.run(['exec', '--agent', agent, 'one']);
    expect(stderr).toMatch(/no longer had session .*; it was opened again/);
    expect(code).toBe(4);
  });

  it('get their settings again each time', async () => {
    const options = [
      {
        id: 'effort',
        name: 'Effort',
        type: 'select',
        currentValue: 'low',
        options: [
          { value: 'low', name: 'L' },
          { value: 'medium', name: 'M' },
          { value: 'high', name: 'H' },
        ],
      },
    ];
    const agent = parley.agent({
      ...RESUMES,
      on: {
        ...RESUMES.on,
        'session/new': [{ do: 'respond', result: { sessionId: 'theirs-1', configOptions: options } }],
        'session/resume': [{ do: 'respond', result: { configOptions: options } }],
        'session/set_config_option': [{ do: 'respond', result: { configOptions: options } }],
      },
    });
    await say(agent, '--name', 'careful', 'one');
    expect((await parley.run(['set', '-s', 'careful', 'effort', 'H'])).stdout).toBe('effort is high\n');
    const { stdout } = await parley.run(['prompt', '-s', 'careful', '--format', 'json', 'two']);
    expect(readLines(stdout)).toContainEqual(
      expect.objectContaining({
        method: 'session/set_config_option',
        params: { sessionId: 'theirs-1', configId: 'effort', value: 'high' },
      }),
    );
    // What is asked now counts more, and is the only thing that is sent.
    const { stdout: third } = await parley.run([
      ...['prompt', '-s', 'careful', '--format', 'json', '--config-option', 'effort=medium', 'three'],
    ]);
    expect(readLines(third).filter(({ method }) => method === 'session/set_config_option')).toEqual([
      expect.objectContaining({ params: { sessionId: 'theirs-1', configId: 'effort', value: 'medium' } }),
    ]);
  });

  it('go on where the agent no longer has a value they were set to, and say so', async () => {
    const offer = (...values: readonly string[]) => [
      {
        id: 'effort',
        name: 'Effort',
        type: 'select',
        currentValue: 'low',
        options: values.map((value) => ({ value, name: value })),
      },
    ];
    const use = async (resumed: readonly object[]) => {
      const answer = (result: object) => [{ do: 'respond' as const, result }];
      const script: AgentScript = {
        ...RESUMES,
        on: {
          ...RESUMES.on,
          'session/new': answer({ sessionId: 'theirs-2', configOptions: offer('low', 'high') }),
          'session/set_config_option': answer({ configOptions: offer('low', 'high') }),
          'session/resume': answer({ configOptions: resumed }),
        },
      };
      const argv = JSON.stringify({ argv: parley.agentWords(script) });
      expect((await parley.run(['config', 'set', 'agents.moody', argv])).code).toBe(0);
    };
    await use(offer('low', 'high'));
    await say('moody', '--name', 'kept', 'one');
    await parley.run(['set', '-s', 'kept', 'effort', 'high']);
    await use(offer('low'));
    const { code, stderr } = await parley.run(['prompt', '-s', 'kept', 'two']);
    expect(code).toBe(0);
    expect(stderr).toContain('no longer has "high" for effort');
  });

  it('are forked and deleted in the agent, exported and imported here', async () => {
    expect((await parley.run(['sessions', 'fork', 'trip', '--name', 'fork'])).code).toBe(0);
    expect((await parley.run(['prompt', '-s', 'fork', '--format', 'quiet', 'three'])).stdout).toBe(
      'theirs-2 heard three\n',
    );
    expect((await parley.run(['sessions', 'history', 'fork'])).stdout).toContain('> one\n');
    await parley.run(['sessions', 'export', 'fork', '-o', 'fork.json']);
    expect((await parley.run(['sessions', 'delete', 'fork', '--from-agent'])).code).toBe(0);
    await parley.run(['sessions', 'import', 'fork.json', '--agent', parley.agent(RESUMES)]);
    expect((await parley.run(['prompt', '-s', 'fork', '--format', 'quiet', 'four'])).stdout).toBe(
      'theirs-2 heard four\n',
    );
  });

  it('are begun once by ensure, and refused twice by new', async () => {
    const agent = parley.agent(RESUMES);
    const first = await parley.run(['sessions', 'ensure', '--agent', agent, '-s', 'daily']);
    const second = await parley.run(['sessions', 'ensure', '--agent', agent, '-s', 'daily']);
    expect(first.code, first.stderr).toBe(0);
    expect(second.stdout).toBe(first.stdout);
    expect((await parley.run(['sessions', 'new', '--agent', agent, '-s', 'daily'])).code).toBe(2);
  });

  it('do not exist unless they were made', async () => {
    for (const args of [
      ['prompt', '-s', 'tripp', 'Hi'],
      ['status', '-s', 'tripp'],
      ['cancel', '-s', 'tripp'],
      ['sessions', 'history', 'tripp'],
    ]) {
      const { code, stderr } = await parley.run(args);
      expect(code).toBe(4);
      expect(stderr).toContain('Did you mean "trip"');
    }
  });
});

it('keeps nothing of a session that could not be opened', async () => {
  const before = (await json('sessions', 'list', '--all')).sessions.length;
  const { code } = await parley.run([
    'prompt',
    '--new',
    '--agent',
    parley.agent({ on: { 'session/new': [{ do: 'fail', code: -32603, message: 'no' }] } }),
    'Hi',
  ]);
  expect(code).toBe(1);
  expect((await json('sessions', 'list', '--all')).sessions).toHaveLength(before);
  expect(existsSync(join(parley.home, 'state/parley/sessions.db'))).toBe(true);
});
