import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { END_TURN, sayAndEnd } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { type CaptureOptions, capture, graderOf, trials } from '../src/index.ts';
import { collect, useAgents } from './support.ts';

const agents = useAgents();
/** Files are written by a grader, which works in the workspace: it stands for what an agent does there. */
function worker(cwds: string[], passes = true) {
  return graderOf(({ cwd = '' }) => {
    cwds.push(cwd);
    expect(readdirSync(cwd)).not.toContain('made.txt');
    writeFileSync(join(cwd, 'made.txt'), 'one\ntwo\n');
    return { pass: passes, score: 1 };
  });
}

const run = (
  options: Omit<CaptureOptions, 'agent' | 'cases'>,
  ids: readonly string[] = ['a/b', 'a:b', 'a\\b', 'A/B', '..', ''],
) =>
  collect(
    capture({
      cwd: agents.folder,
      agent: agents.scripted({ on: { 'session/prompt': [{ do: 'tell', what: 'cwd' }, END_TURN] } }),
      cases: ids.map((id) => ({ id, input: 'x' })),
      ...options,
    }),
  );

describe('a workspace', () => {
  it('is fresh for each case whatever it is called, is where the agent runs, and is gone afterwards', async () => {
    const cwds: string[] = [];
    const results = await run({ workspace: { kind: 'empty' }, grader: worker(cwds), concurrency: 3 });
    expect(results.every(({ score }) => score?.pass)).toBe(true);
    expect(new Set(cwds).size).toBe(6);
    expect(new Set(cwds.map((cwd) => basename(cwd).toLowerCase())).size).toBe(6);
    for (const { output, workspace } of results) {
      expect(output).toContain(workspace?.path ?? 'nowhere');
      expect(workspace).toMatchObject({ kind: 'empty', isKept: false });
      expect(existsSync(workspace?.path ?? '')).toBe(false);
      expect(existsSync(join(workspace?.path ?? '', '..'))).toBe(false);
    }
  });

  it('is never one that another run has left', async () => {
    const folder = join(agents.folder, 'kept');
    const cwds: string[] = [];
    const options = { workspace: { kind: 'empty', folder, keep: 'always' }, grader: worker(cwds) } as const;
    await run(options, ['same']);
    await run(options, ['same']);
    expect(cwds).toHaveLength(2);
    expect(cwds[0]).not.toBe(cwds[1]);
    expect(cwds.every((cwd) => readFileSync(join(cwd, 'made.txt'), 'utf8') === 'one\ntwo\n')).toBe(true);
  });

  it('is a copy of a template, with links and modes, and tells what was changed in it', async () => {
    const from = join(agents.folder, 'template');
    mkdirSync(join(from, 'sub'), { recursive: true });
    writeFileSync(join(from, 'sub', 'run.sh'), 'echo\n', { mode: 0o755 });
    writeFileSync(join(from, 'old.txt'), 'old\n');
    const [result] = await collect(
      capture({
        cwd: agents.folder,
        cases: [{ id: 'a', input: 'x' }],
        workspace: { kind: 'template', from },
        // The agent's own work: a process of its machine.
        agent: (cwd) => {
          execFileSync(
            'sh',
            ['-c', 'test -x sub/run.sh && echo new > old.txt && rm sub/run.sh && printf "1\\n2\\n" > made.txt'],
            { cwd },
          );
          return agents.scripted({ on: { 'session/prompt': sayAndEnd('done') } })(cwd);
        },
        agentName: 'worker',
      }),
    );
    expect(result?.workspace?.changes).toMatchObject({
      files: [
        { path: 'made.txt', insertions: 2, deletions: 0 },
        { path: 'old.txt', insertions: 1, deletions: 1 },
        { path: 'sub/run.sh', deletions: 1 },
      ],
      insertions: 3,
      deletions: 2,
      patch: expect.stringContaining('+new'),
    });
    expect(readFileSync(join(from, 'old.txt'), 'utf8')).toBe('old\n');
    expect(readdirSync(from)).not.toContain('.git');
  });

  it('that cannot be made is a result; a template that is not there ends the run before it begins', async () => {
    const file = join(agents.folder, 'no-folder');
    writeFileSync(file, '');
    await expect(run({ workspace: { kind: 'empty', folder: file } })).rejects.toMatchObject({
      code: 'workspace_failed',
    });
    await expect(run({ workspace: { kind: 'template', from: join(agents.folder, 'none') } })).rejects.toThrow(
      'There is no folder',
    );
  });

  it('is kept where the attempt failed, when that is asked for', async () => {
    const folder = join(agents.folder, 'failures');
    const grader = graderOf(({ input }) => ({ pass: input === 'good', score: 0 }));
    const agent = agents.scripted({ on: { 'session/prompt': sayAndEnd('x') } });
    const cases = ['good', 'bad'].map((input) => ({ id: input, input }));
    const results = await collect(
      trials({
        cwd: agents.folder,
        agent,
        cases,
        grader,
        k: 1,
        n: 2,
        workspace: { kind: 'empty', folder, keep: 'failed' },
      }),
    );
    expect(results.map(({ id, trials: entries }) => [id, entries.map(({ workspace }) => workspace?.isKept)])).toEqual([
      ['good', [false, false]],
      ['bad', [true, true]],
    ]);
    const left = readdirSync(folder);
    expect(left).toHaveLength(2);
    expect(left.every((name) => /^bad-trial-[12]-/.test(name))).toBe(true);
  });

  it('is a worktree of a repository, at a commit, with what an agent commits itself among its changes', async () => {
    const repository = join(agents.folder, 'repository');
    mkdirSync(join(repository, 'sub'), { recursive: true });
    const git = (cwd: string, ...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, encoding: 'utf8' });
    git(repository, 'init', '-q');
    writeFileSync(join(repository, 'sub', 'a.txt'), 'a\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '-qm', 'one');
    writeFileSync(join(repository, 'uncommitted'), '');
    const seen: string[] = [];
    const results = await collect(
      capture({
        cwd: join(repository, 'sub'),
        cases: ['a', 'b', 'c'].map((id) => ({ id, input: 'x' })),
        concurrency: 3,
        workspace: { kind: 'worktree' },
        agentName: 'committer',
        agent: (cwd) => {
          seen.push(realpathSync(cwd));
          writeFileSync(join(cwd, 'a.txt'), 'b\n');
          git(cwd, 'commit', '-qam', 'mine');
          return agents.scripted({ on: { 'session/prompt': sayAndEnd('x') } })(cwd);
        },
      }),
    );
    expect(results.map(({ workspace }) => workspace?.changes?.files)).toEqual(
      results.map(() => [{ path: 'sub/a.txt', insertions: 1, deletions: 1 }]),
    );
    expect(seen.every((cwd) => basename(cwd) === 'sub' && !existsSync(cwd))).toBe(true);
    expect(git(repository, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(readFileSync(join(repository, 'sub', 'a.txt'), 'utf8')).toBe('a\n');
  });
});
