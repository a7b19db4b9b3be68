import type { PermissionOption } from '@parley/protocol';
import type { PlanEntry } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { createBench } from '../../../test/run-tool.ts';
import { TOOLS } from '../list.ts';
import { askUser } from './ask-user.ts';
import { exitPlanMode } from './exit-plan-mode.ts';
import { updatePlan } from './update-plan.ts';

describe('ask_user', () => {
  it('asks by a form where the client has forms', async () => {
    const bench = await createBench();
    const asked: unknown[] = [];
    const person = {
      hasForms: true,
      ask: async (...question: unknown[]) => {
        asked.push(question);
        return '8080';
      },
    };
    const outcome = await bench.run(askUser, { question: 'Which port?' }, { operations: { person } });
    expect(outcome.text).toBe('The person answered: 8080');
    expect(asked).toEqual([['Which port?', undefined]]);
  });

  it('offers the choices as options where there are no forms', async () => {
    const bench = await createBench();
    let offered: readonly PermissionOption[] = [];
    const choose = (name: string | undefined) =>
      bench.run(
        askUser,
        { question: 'Which?', choices: ['red', 'blue'] },
        {
          ask: async (options) => {
            offered = options;
            const chosen = options.find((option) => option.name === name);
            return { isAllowed: chosen?.kind === 'allow_once', optionId: chosen?.optionId };
          },
        },
      );
    expect((await choose('blue')).text).toBe('The person answered: blue');
    expect(offered.map(({ name }) => name)).toEqual(['No answer', 'red', 'blue', 'None of these']);
    for (const name of ['No answer', 'None of these', undefined]) {
      expect(await choose(name)).toMatchObject({ isError: true, text: expect.stringContaining('No answer was given') });
    }
  });

  it.each<[string, (options: readonly PermissionOption[]) => PermissionOption | undefined]>([
    ['the first option', ([first]) => first],
    ['the first approval for once', (options) => options.find(({ kind }) => kind === 'allow_once')],
    [
      'the first lasting approval or else any',
      (options) =>
        options.find(({ kind }) => kind === 'allow_always') ?? options.find(({ kind }) => kind === 'allow_once'),
    ],
    ['the first rejection', (options) => options.find(({ kind }) => kind === 'reject_once')],
    ['the last option', (options) => options.at(-1)],
  ])('takes %s, which a client picks by itself, for no answer', async (_what, pick) => {
    const bench = await createBench();
    for (const choices of [['Yes, delete everything'], ['Yes, delete everything', 'No, keep it']]) {
      const outcome = await bench.run(
        askUser,
        { question: 'Delete the production database?', choices },
        { ask: async (options) => ({ isAllowed: true, optionId: pick(options)?.optionId }) },
      );
      expect(outcome.isError).toBe(true);
      expect(outcome.text).toMatch(/^Nobody could be asked, .* No answer was given: do not assume one\./);
    }
  });

  it('reports that nobody could be asked where the client can put no question', async () => {
    const bench = await createBench();
    const outcome = await bench.run(askUser, { question: 'Why?' });
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toMatch(/^Nobody could be asked: .* No answer was given: do not assume one\./);
    expect(() => askUser.parse({ question: 'x', choices: 'red' })).toThrow('must be a list');
  });
});

describe('update_plan', () => {
  it('shows the whole plan, with what models leave out filled in', async () => {
    const bench = await createBench();
    const shown: PlanEntry[] = [];
    const session = {
      ...bench.operations.session,
      plan: (entries: readonly PlanEntry[]) => void shown.push(...entries),
    };
    const entries = [{ content: 'one', status: 'completed' }, { content: 'two' }];
    const outcome = await bench.run(updatePlan, { entries }, { operations: { session } });
    expect(shown).toEqual([
      { content: 'one', status: 'completed', priority: 'medium' },
      { content: 'two', status: 'pending', priority: 'medium' },
    ]);
    expect(outcome.text).toBe('The plan is shown; 1 steps are open.');
  });

  it('refuses a plan that is none', () => {
    expect(() => updatePlan.parse({ entries: 'x' })).toThrow('must be a list');
    expect(() => updatePlan.parse({ entries: [{}] })).toThrow('needs a "content"');
    expect(() => updatePlan.parse({ entries: [{ content: 'a', status: 'done' }] })).toThrow('"done" is not one of');
  });
});

describe('exit_plan_mode', () => {
  it('shows the plan and tells the model what the person said', async () => {
    const bench = await createBench();
    const answer = (isAgreed: boolean) =>
      bench.run(
        exitPlanMode,
        { plan: '1. Do it' },
        { operations: { session: { ...bench.operations.session, exitPlanMode: async () => isAgreed } } },
      );
    expect(exitPlanMode.describe({ plan: '1. Do it' }, { cwd: '/' })).toEqual({
      title: 'Carry out this plan?',
      text: '1. Do it',
    });
    expect((await answer(true)).text).toContain('Carry the plan out now');
    expect(await answer(false)).toMatchObject({ isError: true });
  });
});

describe('every tool', () => {
  it.each(TOOLS)('$name has a name, a level, a schema and a description that a model can use', (tool) => {
    expect(tool.name).toMatch(/^[a-z_]{1,40}$/);
    expect([1, 2, 3, 4]).toContain(tool.level);
    expect(tool.description.length).toBeGreaterThan(40);
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    const { properties, required } = tool.inputSchema as { properties: object; required: string[] };
    for (const name of required) expect(properties).toHaveProperty(name);
  });

  it('that changes something says how to undo it', () => {
    const input = { path: 'a', content: 'b', old_text: 'a', new_text: 'b', from: 'a', to: 'b', command: 'ls', id: 'x' };
    for (const tool of TOOLS.filter(({ kind }) => ['edit', 'delete', 'move', 'execute'].includes(kind))) {
      expect(tool.describe(tool.parse(input), { cwd: '/w' }).undo, tool.name).toMatch(/\w{3}/);
    }
  });
});
