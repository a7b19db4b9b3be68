import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GitWatch } from './git-watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-git-watch-'));
const git = (...args: string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder });

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the branch in the status line', () => {
  it('has a mark while files that git knows are changed, looked at anew after each turn', async () => {
    git('init', '-q', '-b', 'work');
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    let tell = (): void => {};
    const changed = (): Promise<void> =>
      new Promise((resolve) => {
        tell = resolve;
      });
    const watch = new GitWatch(folder, () => tell());
    await watch.read();
    expect(watch.words).toBe('work');

    writeFileSync(join(folder, 'a.txt'), 'two\n');
    const dirty = changed();
    watch.look(true);
    watch.look(false);
    await dirty;
    expect(watch.words).toBe('work*');

    git('checkout', '-q', 'a.txt');
    writeFileSync(join(folder, 'b.txt'), 'unknown to git\n');
    const clean = changed();
    watch.look(true);
    watch.look(false);
    await clean;
    expect(watch.words).toBe('work');
  });

  it('is missing where there is no repository', async () => {
    const watch = new GitWatch('/', () => {});
    await watch.read();
    expect(watch.words).toBeUndefined();
  });
});
