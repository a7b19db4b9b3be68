import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteStore } from '@parley/store/sqlite';
import type { AgentScript } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { readLines, useParley } from '../support/parley.ts';
import { RESUMES } from '../support/scripts.ts';

const parley = useParley();

/** An agent that works until it is cancelled. */
const patient: AgentScript = {
  ...RESUMES,
  on: {
    ...RESUMES.on,
    'session/prompt': [
      { do: 'say', text: 'working' },
      { do: 'waitFor', method: 'session/cancel' },
      { do: 'respond', result: { stopReason: 'cancelled' } },
    ],
  },
};

const json = async (...args: string[]) => JSON.parse((await parley.run([...args, '--json'])).stdout);
const say = async (agent: string, ...args: string[]) => {
  const { stdout, stderr, code } = await parley.run(['prompt', '--format', 'quiet', '--agent', agent, ...args]);
  expect(code, stderr).toBe(0);
  return stdout.trim();
};

describe('several processes and one session', () => {
  it('see that it runs, stop it, and find it idle again', async () => {
    const running = parley.start(['prompt', '--agent', parley.agent(patient), '--name', 'shared', 'go']);
    await running.sees('working');
    expect(await json('status', '-s', 'shared')).toMatchObject({ state: 'running', pid: running.process.pid });
    expect((await parley.run(['sessions', 'delete', 'shared'])).stderr).toContain('works in the session');
    const cancelled = await parley.run(['cancel', '-s', 'shared']);
    expect(cancelled.stdout).toContain('cancelled');
    expect((await running.finished).code).toBe(130);
    expect(await json('status', '-s', 'shared')).toMatchObject({ state: 'idle', lastStopReason: 'cancelled' });
    expect((await parley.run(['cancel', '-s', 'shared'])).stdout).toBe('nothing to cancel\n');
  });

  it('wait for each other', async () => {
    const first = parley.start(['prompt', '-s', 'shared', 'one']);
    await first.sees('working');
    const second = parley.start(['prompt', '-s', 'shared', 'two']);
    await second.sees(`waiting for process ${first.process.pid}`, 'stderr');
    const given = parley.start(['prompt', '--steer', '-s', 'shared', 'never']);
    await given.sees(`sent to process ${first.process.pid}`, 'stderr');
    given.process.kill('SIGINT');
    expect((await given.finished).code).toBe(130);
    expect(await json('status', '-s', 'shared')).toMatchObject({ state: 'running' });
    await parley.run(['cancel', '-s', 'shared']);
    await first.finished;
    await second.sees('working');
    const third = parley.start(['prompt', '--steer', '-s', 'shared', 'three']);
    await third.sees(`sent to process ${second.process.pid}`, 'stderr');
    await parley.run(['cancel', '-s', 'shared']);
    expect((await second.finished).code).toBe(130);
    await third.sees('the agent takes no message into a running turn', 'stderr');
    await third.sees('working');
    await parley.run(['cancel', '-s', 'shared']);
    expect((await third.finished).code).toBe(130);
  });

  it('survive one of them being killed', async () => {
    const running = parley.start(['prompt', '-s', 'shared', 'three']);
    await running.sees('working');
    running.process.kill('SIGKILL');
    await running.finished;
    expect(await json('status', '-s', 'shared')).toMatchObject({ state: 'dead' });
    expect((await parley.run(['cancel', '-s', 'shared'])).stdout).toBe('nothing to cancel\n');
    const next = parley.start(['prompt', '-s', 'shared', 'four']);
    await next.sees('working');
    await parley.run(['cancel', '-s', 'shared']);
    await next.finished;
  });

  it('watch it from anywhere, from a cursor on', async () => {
    const agent = parley.agent(RESUMES);
    await say(agent, '--name', 'watched', 'one');
    const watcher = parley.start(['sessions', 'watch', 'watched']);
    await watcher.sees('theirs-1 heard one');
    await say(agent, '-s', 'watched', 'two');
    await watcher.sees('theirs-1 heard two');
    await watcher.sees('[done] end_turn');
    watcher.process.kill('SIGINT');
    expect((await watcher.finished).code).toBe(0);
    const late = parley.start(['sessions', 'watch', 'watched', '--json', '--cursor', '4']);
    await late.sees('theirs-1 heard two');
    late.process.kill('SIGINT');
    const lines = readLines((await late.finished).stdout);
    expect(lines[0]?.cursor).toBe(5);
  });

  it('leave a prompt to the background with --no-wait', async () => {
    const queued = await parley.run([
      'prompt',
      '--no-wait',
      '--agent',
      parley.agent(RESUMES),
      '--name',
      'background',
      'later',
    ]);
    expect(queued.code, queued.stderr).toBe(0);
    expect(queued.stdout).toMatch(/^\[queued\] [0-9a-f]{10}\n$/);
    const watcher = parley.start(['sessions', 'watch', 'background']);
    await watcher.sees('theirs-1 heard later');
    watcher.process.kill('SIGINT');
    await watcher.finished;
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
      if ((await json('status', '-s', 'background')).state === 'idle') break;
    }
    expect(await json('status', '-s', 'background')).toMatchObject({ state: 'idle', lastStopReason: 'end_turn' });
  });

  it('prune none in which somebody works, be it an editor', async () => {
    const running = parley.start(['prompt', '--agent', parley.agent(patient), '--name', 'busy', 'go']);
    await running.sees('working');
    await using store = sqliteStore({ path: join(parley.env.XDG_STATE_HOME ?? '', 'parley', 'sessions.db') });
    const log = store.log();
    for (const id of ['in an editor', 'idle']) await log.create({ id, cwd: parley.folder, title: id });
    const { epoch } = await log.acquire('in an editor');
    const prune = async (): Promise<string> => (await parley.run(['sessions', 'prune', '--older-than', '0'])).stderr;
    expect(await prune()).toContain('left 2 in which somebody works');
    expect(await log.get('idle')).toBeUndefined();
    expect(await log.head('in an editor')).toBe(0);
    const refused = await parley.run(['sessions', 'delete', 'in an editor']);
    expect(refused.stderr).toContain('Another process works in the session');
    expect(await json('status', '-s', 'busy')).toMatchObject({ state: 'running' });
    await parley.run(['cancel', '-s', 'busy']);
    expect((await running.finished).code).toBe(130);

    await log.release('in an editor', { epoch });
    expect(await prune()).toMatch(/deleted \d+ sessions\n$/);
    expect(await log.get('in an editor')).toBeUndefined();
  });
});

describe('a prompt with --steer', () => {
  const command = (): string => `'${process.execPath}' '${parley.program}' agent`;

  it.each([
    ['our own agent', 'local', () => []],
    ['another agent that can', 'hosted', () => ['--agent', command()]],
  ] as const)(
    'is taken by the turn that another process runs with %s, and shows what came of it',
    async (_, owner, agent) => {
      const go = join(parley.folder, `go-${owner}`);
      const flags = ['prompt', '--approve-all', ...agent()];
      // The command goes on for a while: the owner reads the log at its own pace, and a prompt that it sees too late gets a turn of its own.
      const first = parley.start([...flags, '--name', owner, `run until [ -e ${go} ]; do sleep 0.1; done; sleep 3`]);
      await first.sees('(running)');
      const second = parley.start([...flags, '--steer', '-s', owner, 'run echo taken']);
      await second.sees('sent to process', 'stderr');
      await logHas(owner, 'prompt');
      writeFileSync(go, '');
      const { code, stdout, stderr } = await second.finished;
      expect(code, stderr).toBe(0);
      expect(stdout).toMatch(/^\[thinking\].*echo taken[\s\S]*\[done\] end_turn/);
      expect((await first.finished).stdout).toMatch(/until \[[\s\S]*echo taken \(completed[\s\S]*\[done\] end_turn/);
      const history = await parley.run(['sessions', 'history', '-s', owner]);
      expect(history.stdout.match(/\[done\]/g)).toHaveLength(1);
    },
  );

  it('is refused for a session that is new', async () => {
    const refused = await parley.run(['prompt', '--steer', '--new', 'hello']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('leave out --new and --name') });
  });
});

/** Resolves when the newest session of an owner has an entry of a kind in its log. */
async function logHas(owner: string, kind: string): Promise<void> {
  await using store = sqliteStore({ path: join(parley.env.XDG_STATE_HOME ?? '', 'parley', 'sessions.db') });
  const log = store.log(owner);
  const [session] = (await log.list()).sessions;
  for await (const event of log.follow(session?.id ?? '')) if (event.kind === kind) return;
}

describe('a chat that is open', () => {
  it('runs the prompt of another process, which shows what came of it', async () => {
    const chat = parley.start(['chat', '--plain', '--agent', parley.agent(RESUMES)], { input: undefined });
    chat.process.stdin.write('one\n');
    await chat.sees('heard one');
    const { sessions } = (await json('sessions', 'list')) as { sessions: { id: string; state: string }[] };
    const id = sessions.find(({ state }) => state === 'running')?.id ?? '';
    const { code, stdout, stderr } = await parley.run(['prompt', '-s', id, 'from elsewhere']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('heard from elsewhere');
    await chat.sees('heard from elsewhere');
    expect((await parley.run(['sessions', 'resume', id, '--plain'])).stderr).toContain('Another process works');
    chat.process.stdin.end();
    expect((await chat.finished).code).toBe(0);
    expect(await json('status', '-s', id)).toMatchObject({ state: 'idle' });
  });
});

describe('several processes and one session of our own agent', () => {
  const own = (...args: string[]): string[] => ['prompt', '--approve-all', ...args];

  it('cancel a turn, and have a prompt wait in the log until the session is free', async () => {
    const first = parley.start(own('--name', 'mine', 'run sleep 60'));
    await first.sees('sleep 60');
    expect(await json('status', '-s', 'mine')).toMatchObject({ state: 'running' });
    const second = parley.start(own('-s', 'mine', 'run echo second'));
    await second.sees('waiting for process', 'stderr');
    await logHas('local', 'prompt');
    const cancelled = await parley.run(['cancel', '-s', 'mine']);
    expect(cancelled.stdout, cancelled.stderr).toMatch(/^cancelled /);
    expect((await first.finished).code).toBe(130);
    const { code, stdout, stderr } = await second.finished;
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('second');
    expect(await json('status', '-s', 'mine')).toMatchObject({ state: 'idle' });
    expect((await parley.run(['cancel', '-s', 'mine'])).stdout).toBe('nothing to cancel\n');
  });

  it('change its mode while a turn runs, and take over when the one that works there is killed', async () => {
    const first = parley.start(own('-s', 'mine', 'run sleep 61'));
    await first.sees('sleep 61');
    const set = await parley.run(['set', 'mode', 'architect', '-s', 'mine']);
    expect(set.code, set.stderr).toBe(0);
    const second = parley.start(own('-s', 'mine', '--mode', 'code', 'run echo third'));
    await second.sees('waiting for process', 'stderr');
    first.process.kill('SIGKILL');
    await first.finished;
    const { code, stdout, stderr } = await second.finished;
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('third');
  });
});
