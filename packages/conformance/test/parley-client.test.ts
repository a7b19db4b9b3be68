import { buildProgram } from '@parley/testing/build-program';
import { expect, it } from 'vitest';
import { runClientChecks } from '../src/client/run/run-client-checks.ts';

it('finds nothing wrong with Parley’s own client, in real processes', { timeout: 90_000 }, async () => {
  const client = await buildProgram(new URL('./fixtures/parley-client.ts', import.meta.url));
  const agent = await buildProgram(new URL('../src/client/run/scripted-agent.program.ts', import.meta.url));
  try {
    const { results } = await runClientChecks(
      { kind: 'command', argv: [process.execPath, client.path, '{agent}'] },
      { agentArgv: [process.execPath, agent.path] },
    );
    const notPassed = results.filter(({ outcome }) => outcome !== 'pass');
    // The two that are about clients which offer no files and no terminals.
    expect(notPassed.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
      'CFILE-06 not_applicable',
      'CTERM-07 not_applicable',
    ]);
  } finally {
    await Promise.all([client.remove(), agent.remove()]);
  }
});
