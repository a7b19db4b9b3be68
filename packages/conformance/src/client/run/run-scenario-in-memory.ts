import { DEFAULT_CHECK_LIMITS } from '../../limits.ts';
import { Probe, sleep } from '../../probe/probe.ts';
import type { Protocol } from '../../versions/protocol.ts';
import { createMemoryWires } from '../../wire/memory-wires.ts';
import type { ConnectClient } from '../client-target.ts';
import { SCENARIOS } from '../scenarios/list.ts';
import { type Mark, playScenario, ScriptedAgent } from '../scenarios/scripted-agent.ts';
import type { ClientRun } from './client-run.ts';

export interface InMemoryOptions {
  readonly connect: ConnectClient;
  readonly protocol: Protocol;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** How long the scripted agent waits for an answer. */
  readonly answerMs: number;
}

/** Plays a scenario to a client in this process. */
export async function runScenarioInMemory(name: string, options: InMemoryOptions): Promise<ClientRun> {
  const { protocol } = options;
  const scenario = SCENARIOS.get(name);
  if (!scenario) throw new TypeError(`There is no scenario ${name}`);
  const [clientWire, agentWire] = createMemoryWires();
  const limits = { ...DEFAULT_CHECK_LIMITS, answerMs: options.answerMs };
  const probe = new Probe(agentWire, { name, side: 'agent', limits, protocol });
  const marks: Mark[] = [];
  const interrupt = new AbortController();
  const agent = new ScriptedAgent(probe, {
    onMark(mark) {
      marks.push(mark);
      if (mark === 'signal') interrupt.abort();
    },
    exit: () => void agentWire.close(),
  });
  playScenario(scenario, agent);
  let exit: ClientRun['exit'];
  const running = options.connect(clientWire, { cwd: options.cwd, interrupted: interrupt.signal }).then((code) => {
    exit = { code, how: `exited with code ${code}` };
  });
  await Promise.race([running, sleep(options.timeoutMs)]);
  await Promise.race([agentWire.ended, sleep(GRACE_MS)]);
  const isAgentOrphaned = exit !== undefined && !agentWire.isEnded;
  await clientWire.close();
  return {
    scenario: name,
    protocol,
    frames: [...probe.trace.frames],
    marks,
    ...(exit && { exit }),
    isAgentOrphaned,
    stderr: '',
  };
}

/** How long the news of the client's end may take to arrive. */
const GRACE_MS = 50;
