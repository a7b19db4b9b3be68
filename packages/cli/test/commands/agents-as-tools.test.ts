import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { END_TURN } from '@parley/testing/scripted-agent';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useParley } from '../support/parley.ts';

const parley = useParley();

/** The tools that the model was offered, and what the last call came to. */
async function runWith(agents: Record<string, object>) {
  const server = await startFakeModelServer({
    script: [
      {
        events: [{ type: 'tool_call', name: 'agent', input: { name: 'reviewer', prompt: 'Look.' } }],
        when: { tool: 'agent' },
      },
      'Thanks.',
    ],
  });
  onTestFinished(() => server.close());
  const config = join(parley.home, 'as-tools.json');
  writeFileSync(config, JSON.stringify({ agents }));
  const env = { PARLEY_BASE_URL: `${server.url}/v1`, PARLEY_MODEL: 'fake-model', PARLEY_CONFIG: config };
  const finished = await parley.run(['exec', '--allow', 'agent__reviewer', 'go'], { env });
  const bodies = server.requests.map(({ body }) => JSON.stringify(body));
  return { ...finished, first: bodies[0] ?? '', last: bodies.at(-1) ?? '' };
}

describe('agents of the settings as tools of our own', () => {
  it('are called where they say so, with their limits', async () => {
    const [command, ...args] = parley.agentWords({
      on: {
        'session/prompt': [
          { do: 'tell', what: 'env:PARLEY_AGENT_DEPTH' },
          { do: 'tell', what: 'env:REVIEW' },
          END_TURN,
        ],
      },
    });
    const agent = { command, args, env: { REVIEW: 'carefully' } };
    const called = await runWith({
      reviewer: { ...agent, asTool: { description: 'Reads code with care.', maxToolCalls: 5 } },
    });
    expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('Thanks.') });
    expect(called.first).toContain('- reviewer: Reads code with care.');
    expect(called.last).toMatch(/1\\n[\s\S]*carefully[\s\S]*reviewer ended its turn/);
    const kept = await runWith({ reviewer: agent });
    expect(kept.first).not.toContain('"agent"');
  }, 60_000);

  it('have settings that are checked', async () => {
    const { code, stderr } = await runWith({ reviewer: { command: 'x', asTool: { maxToolCall: 1 } } });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('agents.reviewer.asTool.maxToolCall'),
    });
  });
});
