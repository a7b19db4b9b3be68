// Judges what an agent has changed in its workspace, as git sees it: for runs with --worktree, or with a --template that is a repository.
// The hint of a case is the file that must be among the changes.
import { execFileSync } from 'node:child_process';

export function grade({ cwd, hint = '' }) {
  // Words, no shell: nothing that a case or an agent says is ever run.
  const git = (...args) => execFileSync('git', args, { cwd, encoding: 'utf8' });
  const files = git('status', '--porcelain', '--untracked-files=all', '-z')
    .split('\0')
    .filter(Boolean)
    .map((line) => line.slice(3));
  const pass = hint === '' ? files.length > 0 : files.includes(hint);
  return {
    pass,
    score: pass ? 1 : 0,
    reasoning: files.length === 0 ? 'Nothing was changed.' : `Changed: ${files.join(', ')}.`,
    outcome: { files },
  };
}
