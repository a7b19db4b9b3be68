import { describe, expect, it } from 'vitest';
import { createPolicy, decide, offerOptions, readAnswer, type ToolRequest } from '../index.ts';

describe('offerOptions', () => {
  const request: ToolRequest = { tool: 'Bash', kind: 'execute', command: { type: 'line', line: 'npm test' } };
  const policy = createPolicy({ workspace: { cwd: '/proj/app' } });

  it('says in each option what it stands for', () => {
    const names = offerOptions(request, decide(policy, request), '/proj/app').map((each) => each.option.name);
    expect(names).toEqual([
      'Allow',
      'Always allow `npm test` in this session',
      'Always allow `npm test` in this folder of the project',
      'Reject',
      'Always reject `npm test` in this session',
    ]);
  });

  it('shows hidden characters instead of hiding them', () => {
    const hidden: ToolRequest = { ...request, command: { type: 'line', line: 'npm test\u202e' } };
    expect(offerOptions(hidden, decide(policy, hidden), '/proj/app')[1]?.option.name).toContain('<U+202E>');
  });

  it('takes an option that was never offered for a rejection', () => {
    const offered = offerOptions(request, decide(policy, request), '/proj/app');
    expect(readAnswer(offered, { outcome: 'selected', optionId: 'allow_everything' })).toEqual({
      isAllowed: false,
      isCancelled: false,
    });
    expect(readAnswer(offered, { outcome: 'selected', optionId: 'allow_once' }).isAllowed).toBe(true);
    expect(readAnswer(offered, { outcome: 'cancelled' })).toEqual({ isAllowed: false, isCancelled: true });
  });
});
