import type { ToolCallEntry } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { isShownAtFirst, outputOf, placesOf, readFacts } from './tool-call-facts.ts';

const CALL: ToolCallEntry = {
  type: 'tool_call',
  origin: 'live',
  toolCallId: 't',
  title: 'Run npm test',
  kind: 'execute',
  status: 'in_progress',
  content: [],
  locations: [],
  at: 1000,
};

describe('a tool call', () => {
  it('tells how long it has run, and how it ended', () => {
    expect(readFacts(CALL, [], 13_000)).toEqual({
      icon: 'running',
      status: 'running',
      isRunning: true,
      notes: ['12s'],
    });
    const ended = { ...CALL, status: 'failed', endedAt: 3500 };
    const terminal = { terminalId: 'x', output: '', isTruncated: false, exit: { exitCode: 1 } };
    expect(readFacts(ended, [terminal], 99_000)).toEqual({
      icon: 'failed',
      status: 'failed',
      isRunning: false,
      notes: ['exit 1', '2s'],
    });
    expect(readFacts({ ...CALL, status: 'humming' }, [], 1000)).toMatchObject({ icon: 'running', status: 'humming' });
    expect(readFacts({ ...ended, origin: 'replay' }, [], 99_000).notes).toEqual([]);
  });

  it('shows by itself what it changed, ran or failed at, and not what it read', () => {
    expect(isShownAtFirst(CALL)).toBe(true);
    expect(isShownAtFirst({ ...CALL, kind: 'read' })).toBe(false);
    expect(isShownAtFirst({ ...CALL, kind: 'read', status: 'failed' })).toBe(true);
    expect(isShownAtFirst({ ...CALL, kind: 'edit', content: [{ type: 'diff', path: '/a', newText: 'x' }] })).toBe(true);
  });

  it('has the text of its output without the fence around it', () => {
    const content = [{ type: 'content', content: { type: 'text', text: '```console\nok\n```' } }] as const;
    expect(outputOf({ ...CALL, content })).toBe('ok');
  });

  it('names only places that are not named already', () => {
    const locations = [{ path: '/w/a.ts' }, { path: '/w/a.ts', line: 3 }, { path: '/w/b.ts' }];
    expect(placesOf({ ...CALL, title: 'Read a.ts', locations })).toEqual([
      { path: '/w/a.ts', line: 3 },
      { path: '/w/b.ts' },
    ]);
  });
});
