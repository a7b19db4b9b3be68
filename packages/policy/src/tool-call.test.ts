import { describe, expect, it } from 'vitest';
import { requestFromTerminal, requestFromToolCall } from './index.ts';

const call = (rest: object) => requestFromToolCall({ toolCallId: '1', ...rest });

describe('requestFromToolCall', () => {
  it.each([
    [{ command: 'git status' }, { type: 'line', line: 'git status' }],
    [{ cmd: 'git status' }, { type: 'line', line: 'git status' }],
    [{ command: ['git', 'status'] }, { type: 'arguments', words: ['git', 'status'] }],
    [{ command: ['bash', '-lc', 'git status'] }, { type: 'arguments', words: ['bash', '-lc', 'git status'] }],
    [
      { command: 'git', args: ['status'] },
      { type: 'arguments', words: ['git', 'status'] },
    ],
    [
      { command: 'git status', args: [] },
      { type: 'line', line: 'git status' },
    ],
    [
      { command: 'git status', env: { A: 'b' } },
      { type: 'line', line: 'git status', environment: { A: 'b' } },
    ],
    [
      { command: 'git status', env: [{ name: 'A', value: 'b' }] },
      { type: 'line', line: 'git status', environment: { A: 'b' } },
    ],
    [['git', 'status'], { type: 'arguments', words: ['git', 'status'] }],
    ['git status', { type: 'line', line: 'git status' }],
  ])('finds the command in %j', (rawInput, command) => {
    expect(call({ kind: 'execute', rawInput }).command).toEqual(command);
  });

  it.each([
    [{ command: 'git status', cmd: 'rm -rf /' }],
    [{ command: 'git status; rm', args: ['x'] }],
    [{ command: { nested: 'git' } }],
    [{ command: ['git', 1] }],
    [{ command: 'git', args: 'status' }],
    [{ command: ['git'], args: ['status'] }],
    [{ command: 'git status', env: 'A=b' }],
  ])('leaves open what %j runs', (rawInput) => {
    expect(call({ kind: 'execute', rawInput }).command).toMatchObject({ type: 'unclear' });
  });

  it('finds the command though the agent calls it reading', () => {
    expect(call({ kind: 'read', rawInput: { command: ['bash', '-lc', 'cat x'] } }).command).toMatchObject({
      type: 'arguments',
    });
  });

  it('collects every file a call names', () => {
    const request = call({
      kind: 'edit',
      rawInput: { file_path: 'a.ts', edits: [{ path: 'b.ts' }] },
      locations: [{ path: 'c.ts' }],
      content: [{ type: 'diff', path: 'd.ts', newText: '' }],
    });
    expect(request.paths).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts']);
  });

  it('finds the name where agents put it', () => {
    expect(call({ name: 'Bash' }).tool).toBe('Bash');
    expect(call({ _meta: { claudeCode: { toolName: 'Edit' } } }).tool).toBe('Edit');
    expect(call({ title: 'mcp__github__list_issues' }).tool).toBe('mcp__github__list_issues');
    expect(call({ title: 'Bash' }).tool).toBe('');
  });

  it('keeps what an agent claims about safety apart from what we know', () => {
    const request = call({
      kind: 'execute',
      safetyLevel: 'L4',
      approvalHints: { rollbackSteps: 'restore', alternativePlan: 'copy first' },
    });
    expect(request).toMatchObject({
      claimedLevel: 4,
      hints: { rollbackSteps: 'restore', alternativePlan: 'copy first' },
    });
    expect(request.level).toBeUndefined();
    expect(call({ _meta: { safetyLevel: 2 } }).claimedLevel).toBe(2);
  });

  it('finds folder and address', () => {
    expect(call({ kind: 'execute', rawInput: { command: 'ls', workdir: '/x' } }).cwd).toBe('/x');
    expect(call({ kind: 'fetch', rawInput: { url: 'https://a/' } }).url).toBe('https://a/');
  });
});

describe('requestFromTerminal', () => {
  it('takes the program and its words as they are', () => {
    expect(
      requestFromTerminal({
        sessionId: 's',
        command: 'npm',
        args: ['test'],
        cwd: '/x',
        env: [{ name: 'CI', value: '1' }],
      }),
    ).toEqual({
      tool: 'terminal',
      kind: 'execute',
      command: { type: 'arguments', words: ['npm', 'test'], environment: { CI: '1' } },
      cwd: '/x',
    });
  });
});
