import type { ToolCallUpdate } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { createPolicy, decide, requestFromTerminal, requestFromToolCall } from '../index.ts';

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

describe('a request that carries more than it says', () => {
  const policy = createPolicy({ workspace: { cwd: '/proj/app' }, rules: ['Read', 'Fetch', 'deny Edit(secrets/**)'] });
  const verdictOf = (toolCall: Partial<ToolCallUpdate>): string =>
    decide(policy, requestFromToolCall({ toolCallId: '1', kind: 'read', ...toolCall })).verdict;

  it('is an edit when it has a diff, or a new text beside a path', () => {
    expect(verdictOf({ rawInput: { path: 'a.ts' } })).toBe('allow');
    expect(verdictOf({ content: [{ type: 'diff', path: '/proj/app/a.ts', newText: 'x' }] })).toBe('ask');
    expect(verdictOf({ rawInput: { path: 'a.ts', content: 'x' } })).toBe('ask');
    expect(verdictOf({ rawInput: { file_path: 'secrets/a', new_string: 'x' } })).toBe('deny');
    expect(verdictOf({ kind: 'fetch', rawInput: { url: 'https://a.test/' } })).toBe('allow');
    expect(verdictOf({ kind: 'fetch', rawInput: { url: 'https://a.test/', path: 'secrets/a', content: 'x' } })).toBe(
      'deny',
    );
  });

  it('is judged by every file it names, wherever it names it', () => {
    const locations = [{ path: '/proj/app/a.ts' }];
    expect(verdictOf({ locations, rawInput: { uri: 'file:///etc/passwd' } })).toBe('ask');
    expect(verdictOf({ locations, rawInput: { uri: 'file://localhost/etc/pass%77d' } })).toBe('ask');
    expect(verdictOf({ locations, rawInput: { deep: { er: [{ file_path: '/etc/passwd' }] } } })).toBe('ask');
    expect(verdictOf({ locations, rawInput: { anything: 'FILE:///etc/passwd' } })).toBe('ask');
    expect(verdictOf({ locations, rawInput: { uri: 'file:///proj/app/b.ts' } })).toBe('allow');
  });

  it('is asked about, without a look at its files, when it names too many', () => {
    let looks = 0;
    const realPath = (path: string): string => {
      looks += 1;
      return path;
    };
    const looking = createPolicy({ workspace: { cwd: '/proj/app', realPath }, rules: ['Read'] });
    const locations = Array.from({ length: 50_000 }, (_, index) => ({ path: `/proj/app/${index}` }));
    const many = requestFromToolCall({ toolCallId: '1', kind: 'read', locations });
    expect(decide(looking, many).verdict).toBe('ask');
    const nested = requestFromToolCall({ toolCallId: '1', kind: 'read', rawInput: { paths: locations } });
    expect(decide(looking, nested).verdict).toBe('ask');
    expect(looks).toBe(0);
  });
});
