import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentScript, END_TURN, MISBEHAVIOURS, sayAndEnd } from '@parley/testing/scripted-agent';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CompareRow } from '../../src/compare/compare-row.ts';
import { useParley } from '../support/parley.ts';

const parley = useParley();
const idles: AgentScript = { on: { 'session/prompt': sayAndEnd('nothing to do') } };

async function compare(args: readonly string[], cwd: string) {
  const { code, stdout, stderr } = await parley.run(['compare', '--format', 'json', ...args], { cwd });
  return { code, stderr, rows: JSON.parse(stdout) as CompareRow[] };
}

describe('parley compare --worktree', () => {
  const repository = join(parley.folder, 'repository');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: repository,
      encoding: 'utf8',
    });
  const writes = (name: string, content: string): AgentScript => ({
    on: {
      'session/prompt': [
        { do: 'tell', what: 'cwd' },
        {
          do: 'request',
          method: 'terminal/create',
          params: { sessionId: '$sessionId', command: 'sh', args: ['-c', `printf '${content}' > ${name}`] },
          save: 'one',
        },
        {
          do: 'request',
          method: 'terminal/wait_for_exit',
          params: { sessionId: '$sessionId', terminalId: '$saved:one' },
        },
        END_TURN,
      ],
    },
  });

  beforeAll(() => {
    mkdirSync(join(repository, 'sub'), { recursive: true });
    writeFileSync(join(repository, 'sub', 'a.txt'), 'one\ntwo\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(repository, 'sub', 'a.txt'), 'not committed\n');
  });

  it('gives each agent HEAD for itself, shows what it changed, and keeps the change as a patch', {
    timeout: 20_000,
  }, async () => {
    const [changes, adds] = [parley.agent(writes('a.txt', 'one\\n2\\n')), parley.agent(writes('new.txt', 'x\\ny\\n'))];
    const idle = parley.agent(idles);
    const { code, rows, stderr } = await compare(
      ['--approve-all', '--worktree', changes, adds, idle, 'go'],
      join(repository, 'sub'),
    );
    expect(code, stderr).toBe(0);
    expect(rows.map(({ diff }) => diff)).toMatchObject([
      { files: 1, insertions: 1, deletions: 1 },
      { files: 1, insertions: 2, deletions: 0 },
      { files: 0, insertions: 0, deletions: 0, patch: null },
    ]);
    expect(rows[0]?.final_message).toMatch(/worktree-\w+\/sub/);
    expect(readFileSync(join(repository, 'sub', 'a.txt'), 'utf8')).toBe('not committed\n');
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    git('checkout', '-q', 'sub/a.txt');
    for (const { diff } of rows) if (diff?.patch) git('apply', diff.patch);
    expect(readFileSync(join(repository, 'sub', 'a.txt'), 'utf8')).toBe('one\n2\n');
    expect(readFileSync(join(repository, 'sub', 'new.txt'), 'utf8')).toBe('x\ny\n');
    git('reset', '-q', '--hard');
  });

  it('shows the changes in the table, and says that uncommitted work is left out', async () => {
    writeFileSync(join(repository, 'sub', 'a.txt'), 'not committed\n');
    const agent = parley.agent(writes('new.txt', 'x\\n'));
    const args = ['compare', '--worktree', '--approve-all', agent, 'go'];
    const { stdout, stderr } = await parley.run(args, { cwd: repository });
    expect(stdout).toContain('1 file +1 -0');
    expect(stdout).toMatch(/git apply \S+\.patch\n/);
    expect(stderr).toContain('not committed are not in the worktrees');
    expect(readdirSync(repository)).not.toContain('new.txt');
  });

  it('removes what a run that was killed has left', { timeout: 20_000 }, async () => {
    const slow = parley.agent({ on: { 'session/prompt': [{ do: 'say', text: 'busy' }] } });
    const trace = join(parley.folder, 'killed.ndjson');
    const running = parley.start(['compare', '--worktree', '--trace', trace, slow, 'go'], { cwd: repository });
    await expect.poll(() => readTrace(trace), { timeout: 15_000 }).toContain('busy');
    running.process.kill('SIGKILL');
    await running.finished;
    const mine = join(parley.home, 'mine');
    git('worktree', 'add', '-q', mine);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(3);
    await compare(['--worktree', parley.agent(idles), 'go'], repository);
    expect(git('worktree', 'list')).toContain(mine);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(2);
    git('worktree', 'remove', '--force', mine);
  });

  it('keeps a binary file in the patch, so that git can apply it', async () => {
    const agent = parley.agent(writes('image.bin', '\\001\\000\\002'));
    const { rows } = await compare(['--approve-all', '--worktree', agent, 'go'], repository);
    git('apply', rows[0]?.diff?.patch ?? '');
    expect([...readFileSync(join(repository, 'image.bin'))]).toEqual([1, 0, 2]);
    git('clean', '-qf');
  });

  it('refuses a folder that is in no repository, before anything runs', async () => {
    const outside = join(parley.home, 'outside');
    mkdirSync(outside);
    const { code, stderr } = await parley.run(['compare', '--worktree', parley.agent(idles), 'go'], { cwd: outside });
    expect(code).toBe(2);
    expect(stderr).toContain('is in no git repository');
  });

  it('removes the worktree of an agent that died', async () => {
    const { code, rows } = await compare(['--worktree', parley.agent(MISBEHAVIOURS.diesMidTurn), 'go'], repository);
    expect(code).toBe(1);
    expect(rows).toMatchObject([{ status: 'error', diff: { files: 0 } }]);
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });
});

function readTrace(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
