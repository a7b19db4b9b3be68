import { describe, expect, it } from 'vitest';
import { createPolicy, decide, type FolderEntry } from '../src/index.ts';
import { createMemoryDisk } from './memory-disk.ts';
import { bash, file } from './requests.ts';

describe('a policy that looks at the disk', () => {
  it('judges a line again when the disk has changed', () => {
    let target = '/proj/app/d';
    const realPath = (path: string): string => path.replace('/proj/app/d', target);
    const policy = createPolicy({ workspace: { cwd: '/proj/app', realPath }, rules: ['Bash(cat *)'] });
    expect(decide(policy, bash('cat d/secret')).verdict).toBe('allow');
    target = '/etc';
    expect(decide(policy, bash('cat d/secret')).verdict).toBe('ask');
  });

  it('looks at nothing for lines that name no file, and at no folder for lines without a pattern', () => {
    const looked: string[] = [];
    const disk = createMemoryDisk('counted', ['/proj/app/src/a.ts']);
    const policy = createPolicy({
      workspace: {
        cwd: '/proj/app',
        realPath: (path) => {
          looked.push(path);
          return path;
        },
        listFolder: (path, limit) => {
          looked.push(`${path}/`);
          return disk.listFolder?.(path, limit);
        },
      },
      rules: ['Bash(git *)', 'Bash(npm test)', 'Bash(cat *)'],
      shell: 'bash',
    });
    for (const line of ['git status', 'git log --oneline -5', 'pwd', 'echo x | cat'])
      expect(decide(policy, bash(line)).verdict).toBe('allow');
    expect(looked).toEqual([]);
    expect(decide(policy, bash('cat src/a.ts')).verdict).toBe('allow');
    expect(looked.filter((path) => path.endsWith('/'))).toEqual([]);
  });

  it('asks when there is more to look at than it looks at', () => {
    const entries: FolderEntry[] = Array.from({ length: 30_000 }, (_, index) => ({
      name: `${index}.ts`,
      type: 'file',
    }));
    const policy = createPolicy({
      workspace: {
        cwd: '/proj/app',
        realPath: (path) => path,
        listFolder: (path, limit) => (path === '/proj/app' ? entries.slice(0, limit) : undefined),
      },
      rules: ['Bash(cat *)', 'Bash(grep *)'],
    });
    expect(decide(policy, bash('cat *.ts')).verdict).toBe('ask');
    expect(decide(policy, bash('grep -R x .')).verdict).toBe('ask');
    expect(decide(policy, bash('grep -r x .')).verdict).toBe('allow');
  });

  it('finds links in folders of folders where links are followed', () => {
    const disk = createMemoryDisk('deep', [
      '/proj/app/src/one/two/out -> ../../../../secret',
      '/proj/app/lib/one/a.ts',
    ]);
    const { realPath, listFolder } = disk;
    const workspace = { cwd: '/proj/app', realPath, ...(listFolder && { listFolder }) };
    const policy = createPolicy({ workspace, rules: ['Bash(grep *)'] });
    expect(decide(policy, bash('grep -R x src')).verdict).toBe('ask');
    expect(decide(policy, bash('grep -R x lib')).verdict).toBe('allow');
  });

  it('takes a pattern that may climb for unknown', () => {
    const policy = createPolicy({ workspace: { cwd: '/proj/app' }, rules: ['Bash(cat *)'] });
    expect(decide(policy, bash('cat src/.*')).verdict).toBe('ask');
    expect(decide(policy, bash('cat src/.?/x')).verdict).toBe('ask');
    expect(decide(policy, bash('cat src/a.*')).verdict).toBe('allow');
  });

  it('does not look up paths that are longer than any', () => {
    const policy = createPolicy({
      workspace: {
        cwd: '/proj/app',
        realPath: () => {
          throw new Error('looked up');
        },
      },
      rules: ['Read'],
    });
    expect(decide(policy, file('read', 'a/'.repeat(20_000))).verdict).toBe('ask');
  });
});
