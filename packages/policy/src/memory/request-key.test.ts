import type { ToolCallUpdate, ToolKind } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPolicy, decide, offerOptions, requestFromToolCall, type ToolRequest } from '../index.ts';
import { whatToRemember } from '../options/what-to-remember.ts';
import { identifiesRequest, requestKey } from './request-key.ts';

const cwd = '/proj/app';
const KINDS: readonly (ToolKind | undefined)[] = [
  ...(['read', 'search', 'edit', 'delete', 'move', 'execute', 'fetch', 'think', 'switch_mode', 'other'] as const),
  undefined,
];
const decision = { canRemember: true };

/** What is remembered of "always" for a tool call, as some agent sends it. */
function remember(toolCall: Partial<ToolCallUpdate>) {
  const request = requestFromToolCall({ toolCallId: 't', ...toolCall });
  return whatToRemember({ request, decision, isAllow: true, scope: 'session', cwd });
}

describe('a request that cannot be identified', () => {
  it.each<[string, Partial<ToolCallUpdate>]>([
    ['a command in its title only', { title: 'cat hello.txt', kind: 'execute' }],
    ['a command in its title, and its folder', { title: 'rm -rf ~', kind: 'execute', locations: [{ path: cwd }] }],
    ['an empty input', { title: 'cat hello.txt', kind: 'execute', rawInput: {} }],
    ['nothing but a title', { title: 'Set 3 todo(s)' }],
    ['a name', { title: 'Deploy', name: 'deploy', kind: 'other', rawInput: {} }],
    ['the name of an MCP tool', { title: 'mcp__db__drop', kind: 'read', locations: [{ path: '/a' }] }],
    ['files of which it does not say what is done to them', { title: 'Work on it', locations: [{ path: '/a' }] }],
    ['an input too deep to be compared', { name: 'x', rawInput: nested(40) }],
  ])('with %s is not remembered', (_what, toolCall) => {
    expect(remember(toolCall)).toBeUndefined();
  });

  it('is never remembered, allowed or denied by what was answered, nor offered as "always"', () => {
    const requests = fc.record(
      {
        tool: fc.constantFrom('', 'Bash', 'deploy', 'mcp__db__drop', 'ask_user'),
        kind: fc.constantFrom(...KINDS),
        title: fc.string(),
        paths: fc.constant([] as string[]),
        cwd: fc.constantFrom('.', '/elsewhere'),
        input: fc.constantFrom(undefined, null, {}, [], ''),
      },
      { requiredKeys: ['tool'] },
    ) as fc.Arbitrary<ToolRequest>;
    fc.assert(
      fc.property(requests, requests, (answered, later) => {
        expect(requestKey(answered, cwd)).toBeUndefined();
        expect(requestKey(answered, undefined)).toBeUndefined();
        for (const isAllow of [true, false])
          for (const scope of ['session', 'project', 'user'] as const)
            expect(whatToRemember({ request: answered, decision, isAllow, scope, cwd })).toBeUndefined();
        // As earlier versions stored it.
        const key = JSON.stringify([cwd, later.tool, later.kind ?? '', null, null, null, null]);
        const entry = {
          id: '1',
          effect: 'allow',
          scope: 'user',
          shown: 'x',
          createdAt: '2026-01-01T00:00:00Z',
        } as const;
        const policy = createPolicy({ workspace: { cwd }, remembered: [{ ...entry, what: { type: 'exact', key } }] });
        const offered = offerOptions(answered, decide(policy, answered), cwd);
        expect(offered.filter(({ remember: kept }) => kept?.what.type === 'exact')).toEqual([]);
        expect(decide(policy, later).reason).not.toBe('remembered');
      }),
    );
  });
});

describe('the key of a request', () => {
  const fields = fc.constantFrom('command', 'cwd', 'path', 'url', 'method', 'target', 'force', 'from', 'to', 'content');
  const values = fc.constantFrom<unknown>('a', 'b', 'https://a.org', true, 1, ['a'], ['a', 'b'], { x: 'a' });
  const toolCalls = fc.record(
    {
      kind: fc.constantFrom(...KINDS),
      name: fc.constantFrom('Bash', 'mcp__db__query', 'deploy'),
      rawInput: fc.dictionary(fields, values, { maxKeys: 4 }),
      locations: fc.constantFrom([{ path: 'a' }], [{ path: 'b' }], []),
    },
    { requiredKeys: ['rawInput'] },
  );

  it('is the key of that request alone', () => {
    fc.assert(
      fc.property(toolCalls, fields, values, toolCalls, (left, name, value, another) => {
        const changed = { ...left, rawInput: { ...left.rawInput, [name]: value } };
        const right = Object.keys(another.rawInput).length > 2 ? changed : another;
        const [one, other] = [left, right].map((call) => requestFromToolCall({ toolCallId: 't', ...call } as never));
        if (!one || !other) return;
        const key = requestKey(one, cwd);
        if (key === undefined || key !== requestKey(other, cwd)) return;
        expect(meaningOf(one)).toEqual(meaningOf(other));
      }),
      { numRuns: 5000 },
    );
  });

  it('identifies it when it is read again', () => {
    fc.assert(
      fc.property(toolCalls, (call) => {
        const key = requestKey(requestFromToolCall({ toolCallId: 't', ...call } as never), cwd);
        if (key !== undefined) expect(identifiesRequest(key)).toBe(true);
      }),
    );
  });

  it('does not depend on notes to the person, nor on what a file becomes', () => {
    const key = (toolCall: object) => requestKey(requestFromToolCall({ toolCallId: 't', ...toolCall }), cwd);
    const run = (rawInput: object) => key({ kind: 'execute', rawInput });
    expect(run({ command: 'npm test', description: 'Runs the tests' })).toBe(run({ command: 'npm test', timeout: 9 }));
    expect(run({ command: 'npm', args: ['test'] })).toBe(run({ command: ['npm', 'test'] }));
    expect(run({ command: 'npm test', stdin: 'npm test' })).not.toBe(run({ command: 'npm test' }));
    expect(run({ command: 'npm test', dangerouslyDisableSandbox: true })).not.toBe(run({ command: 'npm test' }));
    const fetched = (rawInput: object) => key({ kind: 'fetch', rawInput: { url: 'https://a.org', ...rawInput } });
    expect(fetched({ prompt: 'Sum it up' })).toBe(fetched({}));
    expect(fetched({ method: 'DELETE' })).not.toBe(fetched({}));
    const edit = (content: string) => key({ kind: 'edit', rawInput: { file_path: '/a', content } });
    expect(edit('one')).toBe(edit('two'));
    // A read that carries a new text is more than a read.
    const read = { kind: 'read', rawInput: { path: '/a' } };
    expect(key({ ...read, rawInput: { path: '/a', content: 'x' } })).not.toBe(key(read));
  });

  it('tells apart what is only cut alike', () => {
    const odd = (end: string) => ({ command: { [`${'x'.repeat(300)}${end}`]: 1 } });
    const key = (rawInput: object) => requestKey(requestFromToolCall({ toolCallId: 't', rawInput }), cwd);
    expect(key(odd('a'))).not.toBe(key(odd('b')));
    const moved = (rawInput: object) =>
      requestKey(requestFromToolCall({ toolCallId: 't', kind: 'move', rawInput }), cwd);
    expect(moved({ to: 'b', from: 'a' })).not.toBe(moved({ from: 'b', to: 'a' }));
  });
});

/** What a request would do: all that was read of it, and the fields that were not. */
function meaningOf({ tool, kind, command, paths, url, cwd: folder = '.', carries, input }: ToolRequest): unknown {
  const isFile = kind !== undefined && ['read', 'search', 'edit', 'delete'].includes(kind) && paths !== undefined;
  const read =
    command !== undefined && command.type !== 'unclear' ? ['command', 'cwd'] : kind === 'fetch' ? ['url'] : [];
  const rest = Object.entries((input ?? {}) as Record<string, unknown>).filter(([name]) => !read.includes(name));
  const isCovered = isFile && command === undefined && !tool.startsWith('mcp__');
  return { tool, kind, command, paths, url, folder, carries, rest: isCovered ? undefined : Object.fromEntries(rest) };
}

function nested(depth: number): object {
  return depth === 0 ? { a: 1 } : { a: nested(depth - 1) };
}
