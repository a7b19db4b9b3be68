import { describe, expect, it } from 'vitest';
import {
  chooseByVerdict,
  createPolicy,
  decideForPerson,
  exitPlanOptions,
  PERMISSION_MODES,
  type PermissionMode,
  requestFromToolCall,
} from '../index.ts';

describe('deciding in the name of a person', () => {
  const policy = createPolicy({ workspace: { cwd: '/proj/app' }, rules: ['Bash(git *)', 'deny Bash(rm *)'] });
  const judge = (command: string) =>
    decideForPerson(policy, requestFromToolCall({ toolCallId: '1', kind: 'execute', rawInput: { command } }));

  it('follows the rules, and leaves everything else to the person', () => {
    expect(judge('git status').verdict).toBe('allow');
    expect(judge('rm -rf /').verdict).toBe('deny');
    expect(judge('npm test').verdict).toBe('ask');
  });

  it('chooses a mode for the person only where the person has allowed everything, and then the least lasting way', () => {
    const toolCall = { toolCallId: '1', kind: 'switch_mode' as const, title: 'Ready to code?' };
    const answer = (mode: PermissionMode, rules: readonly string[] = []) => {
      const decision = decideForPerson(
        createPolicy({ workspace: { cwd: '/proj/app' }, mode, rules }),
        requestFromToolCall(toolCall),
      );
      const { approvesLasting } = PERMISSION_MODES[mode];
      return { decision, outcome: chooseByVerdict(exitPlanOptions(), decision.verdict, approvesLasting) };
    };
    expect(answer('acceptEdits')).toMatchObject({ decision: { verdict: 'ask' }, outcome: undefined });
    expect(answer('bypassPermissions')).toMatchObject({
      outcome: { outcome: 'selected', optionId: 'default' },
      decision: { because: 'The mode Bypass permissions allows `Ready to code?`.' },
    });
    expect(answer('bypassPermissions', ['deny switch_mode', 'deny *'])).toMatchObject({
      outcome: { outcome: 'selected', optionId: 'plan' },
    });
  });
});
