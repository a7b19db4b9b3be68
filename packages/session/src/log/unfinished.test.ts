import { describe, expect, it } from 'vitest';
import { planAtEnd, Unfinished } from './unfinished.ts';

const PLAN = {
  type: 'plan',
  planId: 'p',
  entries: [
    { content: 'read', priority: 'medium', status: 'completed' },
    { content: 'write', priority: 'medium', status: 'in_progress' },
    { content: 'test', priority: 'medium', status: 'pending' },
  ],
} as const;

describe('what an interrupted turn leaves unfinished', () => {
  it('is closed: calls and compactions fail, and the step of the plan is to be begun again', () => {
    const unfinished = new Unfinished();
    unfinished.see({ type: 'tool_call', toolCallId: 'open', status: 'in_progress' });
    unfinished.see({ type: 'tool_call', toolCallId: 'done', status: 'in_progress' });
    unfinished.see({ type: 'tool_call', toolCallId: 'done', status: 'completed' });
    unfinished.see({ type: 'compaction', compactionId: 'c', status: 'in_progress' });
    unfinished.see(PLAN);
    const closing = unfinished.close();
    expect(closing).toMatchObject([
      { type: 'tool_call', toolCallId: 'open', status: 'failed' },
      { type: 'compaction', compactionId: 'c', status: 'failed' },
      { type: 'plan', entries: [{ status: 'completed' }, { status: 'pending' }, { status: 'pending' }] },
    ]);
    unfinished.forget();
    expect(unfinished.close()).toEqual([]);
  });

  it('is a step that counts as done only where the turn came to its end', () => {
    expect(planAtEnd(PLAN, true)?.entries.map(({ status }) => status)).toEqual(['completed', 'completed', 'pending']);
    expect(planAtEnd(PLAN, false)?.entries.map(({ status }) => status)).toEqual(['completed', 'pending', 'pending']);
    expect(planAtEnd({ ...PLAN, entries: [] }, true)).toBeUndefined();
  });
});
