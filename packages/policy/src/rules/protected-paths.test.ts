import { describe, expect, it } from 'vitest';
import { bash, file, verdict, workspace } from '../../test/requests.ts';
import { createPolicy, decide, LOOKING_RULES } from '../index.ts';

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
    '.cache/parley/code/exec.program.js',
    '.local/bin/git',
    '.cargo/bin/cargo',
    '.nvm/nvm.sh',
    '.gradle/init.gradle',
    '.m2/settings.xml',
    '.config/environment.d/x.conf',
    '.pam_environment',
    '.hgrc',
    '.jq',
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

  describe.each([
    ['the workspace is the home folder', '/home/me', ''],
    ['the workspace is above it', '/home', 'me/'],
  ])('credentials, where %s', (_where, cwd, prefix) => {
    const policy = createPolicy({
      workspace: { cwd, home: '/home/me' },
      mode: 'acceptEdits',
      rules: [...LOOKING_RULES, 'Read', 'Search', 'Bash(cat *)', 'Bash(grep *)', 'Bash(cp *)', 'Bash(tar *)'],
    });

    it.each([
      '.ssh/id_rsa',
      '.config/parley/keys.json',
      '.aws/credentials',
      '.SSH/config',
      '.docker/config.json',
      '.claude/.credentials.json',
      '.config/autostart/x.desktop',
      'dotfiles/.netrc',
    ])('are read after a question: %s', (path) => {
      const asks = { verdict: 'ask', reason: 'protected', canRemember: false };
      expect(decide(policy, file('read', `${prefix}${path}`))).toMatchObject(asks);
      expect(decide(policy, file('search', `${prefix}${path}`))).toMatchObject(asks);
      expect(decide(policy, bash(`cat ${prefix}${path}`))).toMatchObject(asks);
    });

    it.each([
      'cat ~/.aws/credentials',
      `grep -r KEY ${prefix}.config`,
      `grep -r KEY ${prefix === '' ? '.' : prefix}`,
      `grep KEY ${prefix}.s*/id_rsa`,
      `cp -r ${prefix}.config x`,
      `head ${prefix}.ssh/*`,
      `cat < ${prefix}.ssh/id_rsa`,
    ])('are named by a line: %s', (line) => {
      expect(decide(policy, bash(line))).toMatchObject({ verdict: 'ask', reason: 'protected' });
    });

    it('do not keep anyone from reading the rest', () => {
      for (const path of [
        'notes.txt',
        '.bashrc',
        '.gitconfig',
        'project/.docker/nginx.conf',
        '.config/nvim/init.lua',
      ]) {
        expect(decide(policy, file('read', `${prefix}${path}`)).verdict).toBe('allow');
        expect(decide(policy, bash(`cat ${prefix}${path}`)).verdict).toBe('allow');
      }
      expect(decide(policy, bash(`grep -r TODO ${prefix}project`)).verdict).toBe('allow');
    });
  });

  it('say that a credential is read, and look at the disk where they can', () => {
    const because = decide(createPolicy({ workspace, rules: ['Read'] }), file('read', '.ssh/id_rsa')).because;
    expect(because).toBe('`.ssh/id_rsa` reads .ssh, which may hold logins or keys.');
    const disk = (names: readonly string[]) => ({
      cwd: '/proj/app',
      realPath: (path: string) => path,
      listFolder: (path: string) =>
        path === '/proj/app/.config' ? names.map((name) => ({ name, type: 'folder' as const })) : [],
    });
    const decideOn = (names: readonly string[]) =>
      decide(createPolicy({ workspace: disk(names), rules: LOOKING_RULES }), bash('grep -r tool .config')).verdict;
    expect(decideOn(['dotnet'])).toBe('allow');
    expect(decideOn(['dotnet', 'parley'])).toBe('ask');
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
