// Tries the coding agent on a real model, whatever this machine has: a key in the environment or a local server. On demand:
//   npx tsx --conditions=source scripts/try-model.ts            lists the models within reach
//   npx tsx --conditions=source scripts/try-model.ts <model>    small tasks in a temporary folder, and what came of each
// Nothing is changed outside of that folder. With a model that costs money it costs a few thousand tokens.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentConnection, type ClientSession, connect, type TurnResult } from '@parley/client';
import { nodeHost } from '@parley/client/node';
import { createCodingAgent } from '@parley/coding-agent';
import { discoverModels, findOffer } from '@parley/models';
import { createMemoryPair } from '@parley/transports/memory';

const BUGGY = 'export function average(numbers) {\n  return numbers.reduce((a, b) => a + b, 0) / numbers.lenght;\n}\n';
const TEST =
  "import { average } from './average.mjs';\nif (average([1, 2, 3]) !== 2) throw new Error('wrong');\nconsole.log('passed');\n";
const TURN_LIMIT_MS = 5 * 60_000;

const { offers, notices } = await discoverModels({ env: process.env });
for (const notice of notices) console.log(notice);
const [wanted] = process.argv.slice(2);
const match = wanted === undefined ? undefined : findOffer(offers, wanted);
const offer = match?.kind === 'one' ? match.item : undefined;
if (!offer) {
  if (wanted !== undefined) console.log(`No model is called "${wanted}".`);
  console.log('Models within reach:');
  for (const { id, description } of offers) console.log(`  ${id.padEnd(40)} ${description}`);
  console.log('\nTry one: npx tsx --conditions=source scripts/try-model.ts <model>');
  process.exit(wanted === undefined ? 0 : 1);
}

const folder = mkdtempSync(join(tmpdir(), 'parley-try-model-'));
let failures = 0;
console.log(`Trying ${offer.id} (${offer.description})\n`);
const connection = await open(offer.id);
try {
  await run(connection);
} finally {
  await connection.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? '\nEverything worked.' : `\n${failures} of the tasks did not work with this model.`);
process.exit(failures === 0 ? 0 : 1);

async function open(model: string): Promise<AgentConnection> {
  const agent = createCodingAgent({ env: { ...process.env, PARLEY_MODEL: model }, onDiagnostic: () => {} });
  const source = {
    name: model,
    host: nodeHost,
    async open() {
      const [near, far] = createMemoryPair();
      void agent.serve(far);
      return { transport: near };
    },
  };
  return connect(source, { permissions: { ask: ({ toolCall }) => (toolCall.kind === 'delete' ? 'reject' : 'allow') } });
}

async function run(connection: AgentConnection): Promise<void> {
  writeFileSync(join(folder, 'average.mjs'), BUGGY);
  writeFileSync(join(folder, 'test.mjs'), TEST);
  writeFileSync(join(folder, 'AGENTS.md'), 'End every answer with the word "Roger".');
  const session = await connection.newSession({ cwd: folder });

  const hello = await ask(session, 'Say hello in one short sentence.');
  check('answers', hello, ({ text }) => text.length > 0);
  check('follows AGENTS.md', hello, ({ text }) => /roger/i.test(text));
  check('tells what it used', hello, () => (session.transcript.usage?.used ?? 0) > 0);

  const read = await ask(session, 'Which function does average.mjs export? Look into the file.');
  check('reads with a tool', read, ({ toolCalls }) =>
    toolCalls.some(({ kind }) => kind === 'read' || kind === 'search'),
  );
  check('tells what it read', read, ({ text }) => text.includes('average'));

  await session.setMode('architect');
  const plan = await ask(
    session,
    'Plan how to fix the bug in average.mjs. Do not ask to carry it out; only describe it.',
  );
  check('plans without changing', plan, () => readFileSync(join(folder, 'average.mjs'), 'utf8') === BUGGY);
  await session.setMode('code');

  const fix = await ask(
    session,
    'test.mjs fails. Find the bug, fix it, and run `node test.mjs` to see that it passes.',
  );
  check('edits', fix, ({ toolCalls }) =>
    toolCalls.some(({ kind, status }) => kind === 'edit' && status === 'completed'),
  );
  check('runs the test', fix, ({ toolCalls }) => toolCalls.some(({ kind }) => kind === 'execute'));
  check('the bug is gone', fix, () =>
    execFileSync(process.execPath, ['test.mjs'], { cwd: folder, stdio: 'pipe' }).includes('passed'),
  );

  const turn = session.prompt('Count from 1 to 500 in words, one per line.');
  for await (const event of turn) if (event.type === 'text' || event.type === 'thought') break;
  const cancelledAt = performance.now();
  await turn.cancel();
  const cancelMs = Math.round(performance.now() - cancelledAt);
  check(
    `is cancelled (${cancelMs} ms)`,
    await turn.result,
    ({ stopReason }) => stopReason === 'cancelled' || stopReason === 'end_turn',
  );

  await session.close();
  const resumed = await connection.resumeSession(session.id, { cwd: folder });
  const memory = await ask(resumed, 'Which file did you fix before? Answer with its name only.');
  check('remembers after a resume', memory, ({ text }) => text.includes('average'));
}

async function ask(session: ClientSession, prompt: string): Promise<TurnResult | Error> {
  const startedAt = performance.now();
  try {
    const result = await session.prompt(prompt, { signal: AbortSignal.timeout(TURN_LIMIT_MS) }).result;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`> ${prompt} (${seconds} s, ${result.toolCalls.length} tool calls, ${result.stopReason})`);
    return result;
  } catch (error) {
    console.log(`> ${prompt}\n     ${(error as Error).message}`);
    return error as Error;
  }
}

function check(what: string, result: TurnResult | Error, holds: (result: TurnResult) => boolean): void {
  let isFine = false;
  try {
    isFine = !(result instanceof Error) && holds(result);
  } catch {
    // A program that fails is a task that failed.
  }
  if (!isFine) failures++;
  console.log(`  ${isFine ? 'ok ' : 'NO '} ${what}`);
}
