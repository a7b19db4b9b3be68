import { describe, expect, it } from 'vitest';
import { EDIT_TASKS } from '../bench/repairs/edits.ts';
import { runRepair } from '../bench/repairs/run-repair.ts';
import { TROUBLE_TASKS } from '../bench/repairs/troubles.ts';

describe('a small repair is done, and its session goes on, with', () => {
  it.each([...EDIT_TASKS, ...TROUBLE_TASKS])('$name', async (task) => {
    expect(await runRepair(task)).toMatchObject({ because: undefined });
  });

  it('a check that sees when it is not', async () => {
    const [task] = EDIT_TASKS;
    if (!task) throw new Error('There are no tasks.');
    const { because } = await runRepair({ ...task, steps: task.steps.slice(0, 1) });
    expect(because).toMatch(/is not repaired|the session is dead|was asked/);
  });
});
