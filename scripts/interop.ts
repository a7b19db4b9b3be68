// Drives real third-party agents, installed from npm into a temporary folder, against a fake model on loopback: each must
// complete a turn with a tool call and a permission, be cancelled, and go on afterwards. Nothing leaves this machine but npm.
//   npx tsx --conditions=source scripts/interop.ts                   the agents that need the least
//   npx tsx --conditions=source scripts/interop.ts qwen claude       those named; `--list` names all
//   --dir <folder>     installs there and keeps it; --trace <folder> writes what was said
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startFakeModelServer } from '@parley/testing/fake-model-server';
import { AGENTS, type InteropAgent } from './interop/agents.ts';
import { driveAgent, type Finding } from './interop/drive-agent.ts';
import { MODEL_SCRIPT } from './interop/model-script.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string' }, trace: { type: 'string' }, list: { type: 'boolean' } },
});
if (values.list) {
  for (const { name, npm, note } of AGENTS) console.log(`${name.padEnd(10)} ${npm.padEnd(44)} ${note ?? ''}`);
  process.exit(0);
}

const folder = values.dir ?? mkdtempSync(join(tmpdir(), 'parley-interop-'));
const wanted =
  positionals.length > 0
    ? AGENTS.filter(({ name }) => positionals.includes(name))
    : AGENTS.filter(({ isDefault }) => isDefault);
if (values.trace) mkdirSync(values.trace, { recursive: true });
let failed = 0;
try {
  for (const agent of wanted) failed += (await check(agent)) ? 0 : 1;
} finally {
  if (!values.dir) rmSync(folder, { recursive: true, force: true });
}
console.log(
  failed === 0
    ? `\nAll ${wanted.length} agents did everything.`
    : `\n${failed} of ${wanted.length} agents did not do everything.`,
);
process.exit(failed === 0 ? 0 : 1);

async function check(agent: InteropAgent): Promise<boolean> {
  console.log(`\n${agent.name} (${agent.npm})`);
  const bin = install(agent);
  const home = mkdtempSync(join(tmpdir(), `parley-interop-${agent.name}-`));
  await using model = await startFakeModelServer({ script: MODEL_SCRIPT, fallback: 'ok', strict: false });
  try {
    const findings: Finding[] = [];
    await driveAgent(agent, {
      bin,
      home,
      modelUrl: model.url,
      report: (finding) => {
        findings.push(finding);
        console.log(
          `  ${finding.isFine ? 'ok ' : 'NO '} ${finding.what}${finding.detail ? `: ${finding.detail}` : ''}`,
        );
      },
      ...(values.trace && { trace: join(values.trace, `${agent.name}.ndjson`) }),
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
