import type { PermissionOption } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import {
  answerRequest,
  chooseOutcome,
  createPolicy,
  decide,
  exitPlanOptions,
  offerOptions,
  readAnswer,
  type ToolRequest,
} from '../index.ts';

const all: PermissionOption[] = [
  { optionId: 'aa', name: 'Always', kind: 'allow_always' },
  { optionId: 'ao', name: 'Once', kind: 'allow_once' },
  { optionId: 'ra', name: 'Never', kind: 'reject_always' },
  { optionId: 'ro', name: 'No', kind: 'reject_once' },
];
const selected = (optionId: string) => ({ outcome: 'selected', optionId });
const only = (...kinds: string[]) => all.filter((option) => kinds.includes(option.kind));

describe('chooseOutcome', () => {
  it('allows once before always, unless the person chose always', () => {
    expect(chooseOutcome(all, { type: 'allow' })).toEqual(selected('ao'));
    expect(chooseOutcome(all, { type: 'allow', always: true })).toEqual(selected('aa'));
    expect(chooseOutcome(only('allow_once'), { type: 'allow', always: true })).toEqual(selected('ao'));
  });

  it('never makes an approval longer than it was meant', () => {
    expect(chooseOutcome(only('allow_always', 'reject_once'), { type: 'allow' })).toBeUndefined();
  });

  it('rejects with a reject option', () => {
    expect(chooseOutcome(all, { type: 'reject' })).toEqual(selected('ro'));
    expect(chooseOutcome(only('allow_once', 'reject_always'), { type: 'reject' })).toEqual(selected('ra'));
    expect(chooseOutcome(only('allow_once'), { type: 'reject' })).toBeUndefined();
  });

  it('is cancelled only when cancelled', () => {
    expect(chooseOutcome(all, { type: 'cancelled' })).toEqual({ outcome: 'cancelled' });
  });
});

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

describe('answerRequest', () => {
  const policy = createPolicy({ workspace: { cwd: '/proj/app' }, rules: ['Bash(git *)', 'deny Bash(rm *)'] });
  const ask = (command: string, options: PermissionOption[] = all) =>
    answerRequest(policy, {
      sessionId: 's',
      toolCall: { toolCallId: '1', kind: 'execute', rawInput: { command } },
      options,
    });

  it('answers by rule where a rule says so', () => {
    expect(ask('git status')).toMatchObject({ type: 'answered', outcome: selected('ao') });
    expect(ask('rm -rf /')).toMatchObject({ type: 'answered', outcome: selected('ro') });
  });

  it('puts everything else to the person', () => {
    expect(ask('npm test')).toMatchObject({ type: 'question', decision: { verdict: 'ask' } });
  });

  it('lets the person choose where no option means what the rule says', () => {
    expect(ask('git status', only('allow_always', 'reject_once'))).toMatchObject({
      type: 'question',
      decision: { verdict: 'allow' },
    });
    expect(ask('rm x', only('allow_once'))).toMatchObject({ type: 'answered', outcome: { outcome: 'cancelled' } });
  });

  it('chooses a mode for the person only where the person has allowed everything, and then the least lasting way', () => {
    const toolCall = { toolCallId: '1', kind: 'switch_mode' as const, title: 'Ready to code?' };
    const answer = (mode: 'acceptEdits' | 'bypassPermissions', rules: readonly string[] = []) =>
      answerRequest(createPolicy({ workspace: { cwd: '/proj/app' }, mode, rules }), {
        sessionId: 's',
        toolCall,
        options: exitPlanOptions(),
      });
    expect(answer('acceptEdits').type).toBe('question');
    expect(answer('bypassPermissions')).toMatchObject({
      type: 'answered',
      outcome: { outcome: 'selected', optionId: 'default' },
      decision: { because: 'The mode Bypass permissions allows `Ready to code?`.' },
    });
    expect(answer('bypassPermissions', ['deny switch_mode', 'deny *'])).toMatchObject({
      outcome: { outcome: 'selected', optionId: 'plan' },
    });
  });
});
