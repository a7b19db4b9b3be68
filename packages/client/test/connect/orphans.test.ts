import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buildProgram } from '@parley/testing/build-program';
import { areGone } from '@parley/testing/processes';
import { MISBEHAVIOURS } from '@parley/testing/scripted-agent';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/run.ts';
// Named here so that the compiler looks at them; they run as programs of their own.
import type {} from '../support/killed-client.ts';
import { CWD, failureOf, useScriptedAgents } from '../support/scripted.ts';
import type {} from '../support/tidy-client.ts';

const agents = useScriptedAgents();
const GRACE = { eofGraceMs: 100, termGraceMs: 100 };
const pidsIn = (text: string): number[] => [...text.matchAll(/(?:pid|child) (\d+)/g)].map(([, pid]) => Number(pid));

describe('after the end', () => {
  it('neither an agent that ignores everything nor its child is left', async () => {
    const { text } = await run(agents.source(MISBEHAVIOURS.leavesChildren, GRACE), { cwd: CWD, prompt: 'go' });
    const pids = pidsIn(text);
    expect(pids).toHaveLength(2);
    expect(await areGone(pids, 5000)).toBe(true);
  });

  it('of a failed start nothing is left', async () => {
    let pid = 0;
    const source = agents.source({ ...MISBEHAVIOURS.leavesChildren, on: { initialize: [] } }, GRACE);
    const watched = {
      ...source,
      async open(signal: AbortSignal) {
        const wire = await source.open(signal);
        pid = (wire.transport as unknown as { process: { pid: number } }).process.pid;
        return wire;
      },
    };
    expect(await failureOf(run(watched, { cwd: CWD, prompt: 'go', deadlines: { initialize: 100 } }))).toMatchObject({
      code: 'deadline_passed',
    });
    expect(pid).toBeGreaterThan(0);
    expect(await areGone([pid], 5000)).toBe(true);
  });

  it('of this process by kill -9, no agent, grandchild or terminal is left', async () => {
    const program = await buildProgram(new URL('../support/killed-client.ts', import.meta.url));
    try {
      const { command, args } = agents.command(MISBEHAVIOURS.leavesChildren);
      const client = spawn(process.execPath, [program.path, JSON.stringify([command, ...args])], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      client.stdout.on('data', (chunk) => {
        output += chunk;
      });
      while (pidsIn(output).length < 3) await once(client.stdout, 'data');
      client.kill('SIGKILL');
      expect(await areGone(pidsIn(output), 8000)).toBe(true);
    } finally {
      await program.remove();
    }
  });
});

describe('after close', () => {
  it('nothing is left that keeps the process alive: no handle, no timer', async () => {
    const program = await buildProgram(new URL('../support/tidy-client.ts', import.meta.url));
    try {
      const scripts = [{}, MISBEHAVIOURS.flood, MISBEHAVIOURS.neverAnswersPrompt, MISBEHAVIOURS.asksThenIsCancelled];
      const commands = scripts.map((script) => agents.command(script)).map(({ command, args }) => [command, ...args]);
      const client = spawn(process.execPath, [program.path, JSON.stringify(commands)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      client.stdout.on('data', (chunk) => {
        output += chunk;
      });
      const [exitCode] = await once(client, 'exit');
      expect(exitCode).toBe(0);
      // The pipe to our own stdout is the test's.
      expect(JSON.parse(output).filter((name: string) => name !== 'PipeWrap')).toEqual([]);
    } finally {
      await program.remove();
    }
  });
});
