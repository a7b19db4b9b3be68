import { describe, expect, it } from 'vitest';
import { isPlanning, modeForAutoApprove } from '../helpers.ts';
import {
  applyExitPlan,
  BEHAVIOUR_MODES,
  exitPlanOptions,
  isPermissionMode,
  TOOL_PRESETS,
  type ToolFacts,
  toolsIn,
} from '../index.ts';

const tools: ToolFacts[] = [
  { name: 'file_read', kind: 'read' },
  { name: 'grep', kind: 'search' },
  { name: 'file_write', kind: 'edit' },
  { name: 'file_edit', kind: 'edit' },
  { name: 'bash', kind: 'execute' },
  { name: 'code_execute', kind: 'execute' },
  { name: 'web_fetch', kind: 'fetch' },
  { name: 'todo_update', kind: 'think' },
  { name: 'sandbox_shell', kind: 'execute' },
  { name: 'exit_plan_mode', kind: 'switch_mode' },
];
const names = (set: Parameters<typeof toolsIn>[0]) => toolsIn(set, tools).map((tool) => tool.name);

describe('tool presets', () => {
  it('full has every tool', () => {
    expect(names(TOOL_PRESETS.full)).toHaveLength(tools.length);
  });

  it('read-only has nothing that writes or runs', () => {
    expect(names(TOOL_PRESETS['read-only'])).toEqual(['file_read', 'grep', 'web_fetch', 'exit_plan_mode']);
  });

  it('safe has nothing that runs', () => {
    expect(names(TOOL_PRESETS.safe)).toEqual([
      'file_read',
      'grep',
      'file_write',
      'file_edit',
      'web_fetch',
      'todo_update',
      'exit_plan_mode',
    ]);
  });

  it('sandbox has no local tools but those of the sandbox', () => {
    expect(names(TOOL_PRESETS.sandbox)).toEqual(['web_fetch', 'sandbox_shell', 'exit_plan_mode']);
  });
});

describe('behaviour modes', () => {
  it('architect cannot change anything', () => {
    expect(names(BEHAVIOUR_MODES.architect)).toEqual([
      'file_read',
      'grep',
      'web_fetch',
      'todo_update',
      'exit_plan_mode',
    ]);
  });

  it('code and ask have every tool', () => {
    expect(names(BEHAVIOUR_MODES.code)).toHaveLength(tools.length);
    expect(names(BEHAVIOUR_MODES.ask)).toHaveLength(tools.length);
  });
});

describe('leaving plan mode', () => {
  const planning = { behaviour: 'architect', permission: 'plan' } as const;

  it('offers each way to implement the plan, and to go on planning', () => {
    expect(exitPlanOptions().map((option) => option.kind)).toEqual(['allow_always', 'allow_once', 'reject_once']);
  });

  it('leads to the permission level that the person chose', () => {
    expect(applyExitPlan(planning, 'acceptEdits')).toEqual({ behaviour: 'code', permission: 'acceptEdits' });
    expect(applyExitPlan(planning, 'default')).toEqual({ behaviour: 'code', permission: 'default' });
  });

  it('stays for a no, and for an option that was not offered', () => {
    expect(applyExitPlan(planning, 'plan')).toBe(planning);
    expect(applyExitPlan(planning, 'bypassPermissions')).toBe(planning);
  });

  it('changes nothing where nobody is planning', () => {
    const coding = { behaviour: 'code', permission: 'default' } as const;
    expect(isPlanning(coding)).toBe(false);
    expect(applyExitPlan(coding, 'acceptEdits')).toBe(coding);
  });
});

describe('mode names', () => {
  it('are told from other words', () => {
    expect(['default', 'acceptEdits', 'bypassPermissions', 'plan'].every(isPermissionMode)).toBe(true);
    expect(['constructor', 'Plan', ''].some(isPermissionMode)).toBe(false);
  });

  it('stand behind the switch that approves tools automatically', () => {
    expect(modeForAutoApprove(true)).toBe('bypassPermissions');
    expect(modeForAutoApprove(false)).toBe('default');
  });
});
