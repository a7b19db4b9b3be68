import { buildProgram } from '@parley/testing/build-program';
import { expect, it } from 'vitest';
import { runClientChecks } from '../src/client/run/run-client-checks.ts';

// The two that are about clients which offer no files and no terminals.
const BARE = ['CFILE-06 not_applicable', 'CTERM-07 not_applicable'];

it.each([
  [1, BARE],
  [2, []],
] as const)(
  'finds nothing wrong with Parley’s own client in version %i, in real processes',
  { timeout: 90_000 },
  async (protocol, others) => {
    const client = await buildProgram(new URL('./fixtures/parley-client.ts', import.meta.url));
    const agent = await buildProgram(new URL('../src/client/run/scripted-agent.program.ts', import.meta.url));
    try {
      const { results } = await runClientChecks(
        { kind: 'command', argv: [process.execPath, client.path, '{agent}', String(protocol)] },
        { protocol, agentArgv: [process.execPath, agent.path] },
      );
      const notPassed = results.filter(({ outcome }) => outcome !== 'pass');
      expect(notPassed.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(others);
    } finally {
      await Promise.all([client.remove(), agent.remove()]);
    }
  },
);
