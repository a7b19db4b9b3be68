import type { PermissionDecision } from '@parley/agent';
import { createPolicy, decide, lookingRules, type PermissionMode, parseRule } from '@parley/policy';
import { describe, expect, it } from 'vitest';
import { chooseSandbox, type SandboxSetting } from './choose-sandbox.ts';

interface Case {
  readonly line: string;
  readonly setting?: SandboxSetting;
  readonly mode?: PermissionMode;
  readonly rule?: string;
  readonly asked?: boolean;
}

/** The sandbox of a command line that the policy allows, or that the user allowed when asked. */
function choose({ line, setting = 'unasked', mode = 'default', rule, asked = false }: Case): string {
  const policy = createPolicy({
    workspace: { cwd: '/w', realPath: (path) => path, listFolder: () => [] },
    mode,
    shell: 'bash',
    rules: [...lookingRules(), ...(rule === undefined ? [] : [parseRule(rule, { scope: 'user' })])],
  });
  const decision = decide(policy, { tool: 'run_command', kind: 'execute', command: { type: 'line', line } });
  expect(decision.verdict).toBe(asked ? 'ask' : 'allow');
  const permission: Pick<PermissionDecision, 'asked' | 'decision'> = asked ? { asked } : { asked, decision };
  return chooseSandbox({ setting, mode, permission }) ?? 'outside';
}

describe('the sandbox of a command', () => {
  it.each<[string, Case]>([
    ['reading', { line: 'cat a.txt' }],
    ['reading', { line: 'cat a.txt | head' }],
    ['workspace', { line: 'mkdir a', mode: 'acceptEdits' }],
    ['workspace', { line: 'cat a.txt', mode: 'acceptEdits' }],
    ['outside', { line: 'npm test', asked: true }],
    ['outside', { line: 'npm test', rule: 'Bash(npm test)' }],
    ['outside', { line: 'npm test | tail', rule: 'Bash(npm test)' }],
    ['outside', { line: 'npm test', mode: 'bypassPermissions' }],
    ['reading', { line: 'cat a.txt', mode: 'bypassPermissions' }],
    ['reading', { line: 'cat a.txt', setting: 'always' }],
    ['workspace', { line: 'npm test', setting: 'always', asked: true }],
    ['workspace', { line: 'npm test', setting: 'always', rule: 'Bash(npm test)' }],
    ['workspace', { line: 'npm test', setting: 'always', mode: 'bypassPermissions' }],
    ['outside', { line: 'cat a.txt', setting: 'off' }],
  ])('is %s for %j', (expected, which) => {
    expect(choose(which)).toBe(expected);
  });

  it('is left to a remembered answer', () => {
    const remembered = {
      verdict: 'allow',
      reason: 'remembered',
      because: '',
      parts: [],
      canRemember: true,
      level: 3,
    } as const;
    const permission = { asked: false, decision: remembered };
    expect(chooseSandbox({ setting: 'unasked', mode: 'default', permission })).toBeUndefined();
  });
});
