import { describe, expect, it } from 'vitest';
import { bash, file, verdict } from '../../test/requests.ts';
import {
  createPolicy,
  decide,
  isPermissionMode,
  PERMISSION_MODES,
  type PermissionMode,
  permissionModeIds,
  type ToolRequest,
  type Verdict,
} from '../index.ts';

describe('the permission modes', () => {
  const calls: Readonly<Record<string, ToolRequest>> = {
    read: file('read', 'src/a.ts'),
    edit: file('edit', 'src/a.ts'),
    delete: file('delete', 'src/a.ts'),
    move: file('move', 'src/a.ts'),
    mkdir: bash('mkdir -p src/new'),
    rm: bash('rm -rf dist'),
    mv: bash('mv src/a.ts src/b.ts'),
    command: bash('npm test'),
    external: { tool: 'mcp__github__list', kind: 'other' },
    fetch: { tool: 'WebFetch', kind: 'fetch', url: 'https://example.com/' },
    think: { tool: 'Think', kind: 'think' },
  };
  const table: Readonly<Record<PermissionMode, Partial<Record<string, Verdict>>>> = {
    default: {
      read: 'ask',
      edit: 'ask',
      delete: 'ask',
      move: 'ask',
      mkdir: 'ask',
      rm: 'ask',
      mv: 'ask',
      command: 'ask',
      external: 'ask',
      fetch: 'ask',
      think: 'ask',
    },
    acceptEdits: {
      read: 'allow',
      edit: 'allow',
      delete: 'allow',
      move: 'allow',
      mkdir: 'allow',
      rm: 'allow',
      mv: 'allow',
      command: 'ask',
      external: 'ask',
      fetch: 'ask',
      think: 'ask',
    },
    bypassPermissions: {
      read: 'allow',
      edit: 'allow',
      delete: 'allow',
      move: 'allow',
      mkdir: 'allow',
      rm: 'allow',
      mv: 'allow',
      command: 'allow',
      external: 'allow',
      fetch: 'allow',
      think: 'allow',
    },
    plan: {
      read: 'deny',
      edit: 'deny',
      delete: 'deny',
      move: 'deny',
      mkdir: 'deny',
      rm: 'deny',
      mv: 'deny',
      command: 'deny',
      external: 'deny',
      fetch: 'deny',
      think: 'ask',
    },
  };
  const rows = Object.entries(table).flatMap(([mode, row]) =>
    Object.entries(row).map(([call, expected]) => [mode as PermissionMode, call, expected] as const),
  );

  it.each(rows)('%s: %s is %s', (mode, call, expected) => {
    expect(verdict({ mode }, calls[call] ?? bash(''))).toBe(expected);
  });

  it('keep deny rules in force, even where everything is approved', () => {
    expect(verdict({ mode: 'bypassPermissions', rules: ['deny Bash(rm *)'] }, bash('git status && rm -rf /'))).toBe(
      'deny',
    );
    expect(verdict({ mode: 'acceptEdits', rules: ['deny Edit(src/**)'] }, file('edit', 'src/a.ts'))).toBe('deny');
  });

  it('deny what cannot be looked into where a deny rule might apply and nobody is asked', () => {
    expect(verdict({ mode: 'bypassPermissions', rules: ['deny Bash(rm *)'] }, bash('$X y'))).toBe('deny');
    expect(verdict({ mode: 'bypassPermissions' }, bash('$X y'))).toBe('allow');
  });

  it('let a rule allow reading while planning, and nothing else', () => {
    const rules = ['Read', 'Edit', 'Bash(git *)'];
    expect(verdict({ mode: 'plan', rules }, file('read', 'src/a.ts'))).toBe('allow');
    expect(verdict({ mode: 'plan', rules }, file('edit', 'src/a.ts'))).toBe('deny');
    expect(verdict({ mode: 'plan', rules }, bash('git status'))).toBe('deny');
    expect(verdict({ mode: 'plan', rules: ['ask Read'] }, file('read', 'src/a.ts'))).toBe('deny');
    // A call with a command is judged as one, whatever its kind.
    expect(verdict({ mode: 'plan' }, { ...bash('rm -rf /'), kind: 'think' })).toBe('deny');
    expect(verdict({ mode: 'plan', canAsk: false }, { tool: '', kind: 'think', title: 'Which?' })).toBe('deny');
  });

  it('keep edits in the workspace', () => {
    expect(verdict({ mode: 'acceptEdits' }, file('edit', '/proj/lib/x.ts'))).toBe('allow');
    expect(verdict({ mode: 'acceptEdits' }, file('edit', '/proj/app2/x.ts'))).toBe('ask');
    expect(verdict({ mode: 'acceptEdits' }, file('edit', '../secret'))).toBe('ask');
    expect(verdict({ mode: 'acceptEdits' }, bash('rm -rf ../other'))).toBe('ask');
    expect(verdict({ mode: 'acceptEdits' }, bash('rm -rf .'))).toBe('ask');
    expect(verdict({ mode: 'acceptEdits' }, file('delete', '.'))).toBe('ask');
  });
});

describe('the table of permission modes', () => {
  it('is what everything else lists and reads', () => {
    expect(permissionModeIds()).toEqual(Object.keys(PERMISSION_MODES));
    expect(Object.entries(PERMISSION_MODES).every(([name, { id }]) => name === id && isPermissionMode(name))).toBe(
      true,
    );
    expect(isPermissionMode('toString')).toBe(false);
  });

  it('decides alone: a row that approves fetching lets it run, and what it does not name is asked about', () => {
    const policy = createPolicy({ workspace: { cwd: '/proj/app' }, mode: 'default' });
    const row = PERMISSION_MODES.default;
    const fetching = { tool: 'WebFetch', kind: 'fetch', url: 'https://example.com/' } as const;
    const changed = { ...row, approves: ['fetch'], approvesFileCommands: true } as const;
    Object.assign(PERMISSION_MODES, { default: changed });
    try {
      expect(decide(policy, fetching).verdict).toBe('allow');
      expect(decide(policy, bash('mkdir -p src/new')).verdict).toBe('allow');
      expect(decide(policy, bash('npm test')).verdict).toBe('ask');
      expect(decide(policy, file('read', 'src/a.ts')).verdict).toBe('ask');
    } finally {
      Object.assign(PERMISSION_MODES, { default: row });
    }
    expect(decide(policy, fetching).verdict).toBe('ask');
  });
});
