// What the command itself costs: CPU of its own process, the agent's apart, over a bare `node` that does nothing.
//
//   node packages/cli/bench/cli.bench.mjs [rounds]     after `npm run build -- --code`
//   node packages/cli/bench/cli.bench.mjs --json       for `npm run bench`
//   ACPX_BIN=/path/to/acpx/dist/cli.js node ...        also acpx, beside ours
//
// Fresh processes, all kinds taking turns, medians.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const program = fileURLToPath(new URL('../dist/parley.program.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'parley-cli-bench-'));
const meter = join(folder, 'meter.mjs');
const reading = join(folder, 'cpu.json');
const agent = join(folder, 'agent.mjs');
const nothing = join(folder, 'nothing.mjs');

// Written when the process ends, by itself: the CPU of its children is not in it.
writeFileSync(
  meter,
  `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${JSON.stringify(reading)}, JSON.stringify(process.cpuUsage())));`,
);
writeFileSync(nothing, '');
writeFileSync(
  agent,
  `import { createInterface } from 'node:readline';
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') answer(id, { protocolVersion: 1, agentCapabilities: {} });
  else if (method === 'session/new') answer(id, { sessionId: 's' });
  else if (method === 'session/prompt') {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hello' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: params.sessionId, update } }) + '\\n');
    answer(id, { stopReason: 'end_turn' });
  }
});`,
);

const agentLine = `${process.execPath} ${agent}`;
const { ACPX_BIN: acpx } = process.env;
const KINDS = {
  node: [nothing],
  help: [program, '--help'],
  exec: [program, 'exec', '--agent', agentLine, 'hi'],
  ...(acpx && { acpxHelp: [acpx, '--help'], acpxExec: [acpx, '--agent', agentLine, 'exec', 'hi'] }),
};

try {
  const isJson = process.argv.includes('--json');
  const figures = measure(isJson ? 7 : Number(process.argv[2] ?? 15));
  if (isJson) console.log(JSON.stringify({ figures }));
  else
    for (const { workload, value, unit, spread } of figures)
      console.log(`${workload.padEnd(48)} ${value.toFixed(1).padStart(8)} ${unit}  (max/min ${spread.toFixed(2)})`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(rounds) {
  const samples = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [kind, args] of Object.entries(KINDS)) samples[kind].push(cpuMs(args));
  const bare = median(samples.node);
  const over = (workload, kind, hold) => {
    const values = samples[kind];
    return {
      workload,
      unit: 'ms CPU over node',
      value: median(values) - bare,
      spread: Math.max(...values) / Math.min(...values),
      ...(hold && { hold }),
    };
  };
  return [
    {
      workload: 'bare node',
      unit: 'ms CPU',
      value: bare,
      spread: Math.max(...samples.node) / Math.min(...samples.node),
    },
    over('parley --help', 'help', 60),
    over('parley exec with a trivial agent', 'exec', 150),
    ...(acpx ? [over('acpx --help', 'acpxHelp'), over('acpx exec with a trivial agent', 'acpxExec')] : []),
  ];
}

function cpuMs(args) {
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
  };
  const { status, stderr } = spawnSync(process.execPath, ['--import', pathToFileURL(meter).href, ...args], {
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
  const { user, system } = JSON.parse(readFileSync(reading, 'utf8'));
  return (user + system) / 1000;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
