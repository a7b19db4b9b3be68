import { describe, expect, it } from 'vitest';
import { file, verdict, workspace } from '../../test/requests.ts';
import { createPolicy, decide } from '../index.ts';

describe('protected paths', () => {
  it.each([
    '.git/hooks/pre-commit',
    '.git/config',
    '.vscode/settings.json',
    '.mcp.json',
    '.claude/settings.json',
    '.codex/config.toml',
    '.bashrc',
    'parley.json',
    '.parleyrc.json',
    '/home/me/.config/parley/config.json',
    '/home/me/.local/state/parley/permissions.json',
    '.parley/permissions.json',
    'sub/.husky/pre-commit',
    '.GIT/config',
    'git~1/config',
    '.envrc',
    'repo/HEAD',
  ])('always ask: %s', (path) => {
    expect(
      decide(createPolicy({ workspace, mode: 'acceptEdits', rules: ['Edit', 'Bash'] }), file('edit', path)),
    ).toMatchObject({ verdict: 'ask', reason: 'protected', canRemember: false });
  });

  it('do not keep anyone from reading or from working below a protected name', () => {
    expect(verdict({ rules: ['Read'] }, file('read', '.vscode/settings.json'))).toBe('allow');
    const worktree = { cwd: '/proj/app/.claude/worktrees/x' };
    expect(decide(createPolicy({ workspace: worktree, rules: ['Edit'] }), file('edit', 'src/a.ts')).verdict).toBe(
      'allow',
    );
    expect(
      decide(createPolicy({ workspace: { cwd: '/home/me/.ssh' }, rules: ['Edit'] }), file('edit', 'config')).verdict,
    ).toBe('ask');
  });

  it('are left to the person who chose to bypass permissions', () => {
    expect(verdict({ mode: 'bypassPermissions' }, file('edit', '.git/config'))).toBe('allow');
  });

  it('can be added to', () => {
    expect(verdict({ mode: 'acceptEdits', protectedPaths: ['infra/prod'] }, file('edit', 'infra/prod/main.tf'))).toBe(
      'ask',
    );
  });
});
