// Drives real third-party agents, installed from npm into a temporary folder, against a fake model on loopback: each must
// complete a turn with a tool call and a permission, be cancelled, and go on afterwards. Nothing leaves this machine but npm.
//   npx tsx --conditions=source scripts/interop.ts                   the agents that need the least
//   npx tsx --conditions=source scripts/interop.ts qwen claude       those named; `--list` names all
//   npx tsx --conditions=source scripts/interop.ts adapted-claude    a command line that speaks no ACP, behind its description
//   --dir <folder>     installs there and keeps it; --trace <folder> writes what was said
//   --protocol <1|2|auto>     the version of ACP; else each that the agent is known to speak, or the one that is agreed upon
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ProtocolSetting } from '@parley/client';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { AGENTS, type InteropAgent } from './interop/agents.ts';
import { COMMAND_LINES } from './interop/command-lines.ts';
import { driveAgent, type Finding } from './interop/drive-agent.ts';
import { MODEL_SCRIPT } from './interop/model-script.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dir: { type: 'string' },
    trace: { type: 'string' },
    protocol: { type: 'string' },
    list: { type: 'boolean' },
  },
});
if (values.list) {
  for (const { name, npm, note } of [...AGENTS, ...COMMAND_LINES])
    console.log(`${name.padEnd(16)} ${npm.padEnd(44)} ${note ?? ''}`);
  process.exit(0);
}

const folder = values.dir ?? mkdtempSync(join(tmpdir(), 'parley-interop-'));
const wanted =
  positionals.length > 0
    ? [...AGENTS, ...COMMAND_LINES].filter(({ name }) => positionals.includes(name))
    : AGENTS.filter(({ isDefault }) => isDefault);
if (values.trace) mkdirSync(values.trace, { recursive: true });
/** Not among the temporary files: the sandbox of some agents does not see those. */
const homes = join(homedir(), '.cache', 'parley-interop');
mkdirSync(homes, { recursive: true });
const runs = wanted.flatMap((agent) => protocolsOf(agent).map((protocol) => ({ agent, protocol })));
let failed = 0;
try {
  for (const run of runs) failed += (await check(run)) ? 0 : 1;
} finally {
  if (!values.dir) rmSync(folder, { recursive: true, force: true });
}
console.log(
  failed === 0
    ? `\nAll ${runs.length} runs with ${wanted.length} agents did everything.`
    : `\n${failed} of ${runs.length} runs did not do everything.`,
);
process.exit(failed === 0 ? 0 : 1);

function protocolsOf({ protocols = ['auto'] }: InteropAgent): readonly ProtocolSetting[] {
  switch (values.protocol) {
    case undefined:
      return protocols;
    case '1':
      return [1];
    case '2':
      return [2];
    case 'auto':
      return ['auto'];
    default:
      throw new Error(`There is no --protocol "${values.protocol}"; there are 1, 2 and auto.`);
  }
}

interface Run {
  readonly agent: InteropAgent;
  readonly protocol: ProtocolSetting;
}

async function check({ agent, protocol }: Run): Promise<boolean> {
  console.log(`\n${agent.name} (${agent.npm}), protocol ${protocol}`);
  const bin = install(agent);
  const home = mkdtempSync(join(homes, `${agent.name}-`));
  await using model = await startFakeModelServer({ script: MODEL_SCRIPT, fallback: 'ok', strict: false });
  try {
    const findings: Finding[] = [];
    await driveAgent(agent, {
      bin,
      home,
      modelUrl: model.url,
      protocol,
      lastRequest: () => JSON.stringify(model.requests.at(-1)?.body ?? ''),
      report: (finding) => {
        findings.push(finding);
        console.log(
          `  ${finding.isFine ? 'ok ' : 'NO '} ${finding.what}${finding.detail ? `: ${finding.detail}` : ''}`,
        );
      },
      ...(values.trace && { trace: join(values.trace, `${agent.name}-${protocol}.ndjson`) }),
    });
    return findings.every(({ isFine }) => isFine);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function install({ name, npm, bin, nodeVersion }: InteropAgent): string {
  const place = join(folder, name);
  const program = join(place, 'node_modules', '.bin', bin);
  if (existsSync(program)) return program;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "private": true }');
  const packages = nodeVersion === undefined ? [npm] : [npm, `node@${nodeVersion}`];
  const startedAt = Date.now();
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: place,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`npm could not install ${npm}`);
  console.log(`  installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
  return program;
}
