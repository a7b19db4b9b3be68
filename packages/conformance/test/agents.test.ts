import { buildProgram } from '@parley/testing/build-program';
import { describe, expect, it } from 'vitest';
import { runChecks } from '../src/agent/run/run-agent-checks.ts';
import type { Protocol } from '../src/versions/protocol.ts';

/** Everything that is not right with an agent that is started as a real process. */
async function findFaults(entry: URL, protocol: Protocol = 1): Promise<readonly string[]> {
  const agent = await buildProgram(entry);
  try {
    const { results } = await runChecks({ kind: 'command', argv: [process.execPath, agent.path] }, { protocol });
    expect(results.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(80);
    const wrong = results.filter(({ outcome }) => ['fail', 'warn', 'flaky', 'skipped'].includes(outcome));
    return wrong.map(({ id, level, outcome, reason }) =>
      outcome === 'skipped' ? `${id} skipped: ${reason}` : `${id} ${level}`,
    );
  } finally {
    await agent.remove();
  }
}

describe('agents in processes of their own', () => {
  it('finds nothing wrong with the smallest example agent but that it forgets', { timeout: 60_000 }, async () => {
    // It keeps its sessions in memory, so another process cannot load them.
    expect(await findFaults(new URL('../../../examples/echo-agent.ts', import.meta.url))).toEqual(['LOAD-04 ROBUST']);
  });

  it('finds what the official SDK leaves to the author of an agent', { timeout: 60_000 }, async () => {
    expect(await findFaults(new URL('./fixtures/sdk-agent.ts', import.meta.url))).toEqual([
      'FRAME-06 ROBUST',
      'SESS-03 ROBUST',
      'SESS-06 ROBUST',
      'CONTENT-06 ROBUST',
      'MCP-02 SHOULD',
      'MCP-05 ROBUST',
    ]);
  });

  it('finds nothing wrong with the smallest example agent in version 2', { timeout: 60_000 }, async () => {
    expect(await findFaults(new URL('../../../examples/echo-agent.ts', import.meta.url), 2)).toEqual([]);
  });

  it('finds what the official SDK of version 2 leaves to the author of an agent', { timeout: 60_000 }, async () => {
    expect(await findFaults(new URL('./fixtures/sdk-agent-2.ts', import.meta.url), 2)).toEqual(['FRAME-06 ROBUST']);
  });
});
