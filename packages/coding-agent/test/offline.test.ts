import { describe, expect, it } from 'vitest';
import { person, useAgentProcesses } from './agent-process.ts';

const agents = useAgentProcesses();

describe('the agent without a model', () => {
  it('fixes a bug in a small repository: looks, edits, tests', async () => {
    const project = await agents.project({
      'sum.mjs': 'export const sum = (a, b) => a - b;\n',
      'test.mjs':
        "import { sum } from './sum.mjs';\nif (sum(1, 2) !== 3) throw new Error('wrong');\nconsole.log('ok');\n",
    });
    const { asked, permissions } = person('allow');
    const { connection } = await agents.start({ permissions });
    const session = await connection.newSession({ cwd: project.path });
    const turn = session.prompt('read sum.mjs, then replace "a - b" with "a + b" in it, then run `node test.mjs`');
    const result = await turn.result;
    expect(result.stopReason).toBe('end_turn');
    expect(await project.read('sum.mjs')).toBe('export const sum = (a, b) => a + b;\n');
    expect(asked).toEqual(['Edit sum.mjs', 'node test.mjs']);
    expect(result.text).toContain('ok');
    expect(result.toolCalls.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'read completed',
      'edit completed',
      'execute completed',
    ]);
    expect(result.plan.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  });
});
