// The process that a client under test starts: node scripted-agent.program.js <scenario> <trace file> <version>
import { appendFileSync } from 'node:fs';
import { DEFAULT_CHECK_LIMITS } from '../../limits.ts';
import { Probe } from '../../probe/probe.ts';
import { ownStdioWire } from '../../wire/own-stdio-wire.ts';
import { SCENARIOS } from '../scenarios/list.ts';
import { playScenario, ScriptedAgent } from '../scenarios/scripted-agent.ts';
import type { TraceLine } from './trace-lines.ts';

const [name = '', traceFile = '', version] = process.argv.slice(2);
const scenario = SCENARIOS.get(name);
if (!scenario || traceFile === '') {
  process.stderr.write(`usage: scripted-agent <${[...SCENARIOS.keys()].join('|')}> <trace file> <version>\n`);
  process.exit(2);
}

// Written at once and in full: the client may kill this process at any moment.
const record = (line: TraceLine): void => appendFileSync(traceFile, `${JSON.stringify(line)}\n`);
const wire = ownStdioWire();
const probe = new Probe(wire, {
  name,
  side: 'agent',
  protocol: version === '2' ? 2 : 1,
  limits: { ...DEFAULT_CHECK_LIMITS, answerMs: 4000 },
  onFrame: (frame) => record({ frame }),
});
const agent = new ScriptedAgent(probe, {
  onMark: (mark) => record({ mark, pid: process.pid }),
  exit: (code) => process.exit(code),
});
playScenario(scenario, agent);
await wire.ended;
agent.mark('input ended');
process.exit(0);
