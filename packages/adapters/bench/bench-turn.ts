// One side of the comparison in a process of its own: `bench-turn.ts adapted|parsed <lines> <report>`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createConnection } from '@parley/jsonrpc';
import { createMemoryPair } from '@parley/transports/memory';
import { adapterAgent, type Description, parseDescription } from '../src/index.ts';

const [, , kind, lines = '', report = ''] = process.argv;
const own = `${report}.command`;
/** The command: writes its lines, and what that cost. */
const COMMAND = [
  process.execPath,
  '-e',
  `const { readFileSync, writeFileSync } = require('node:fs');
   process.stdout.write(readFileSync(${JSON.stringify(lines)}), () => {
     const { user, system } = process.cpuUsage();
     writeFileSync(${JSON.stringify(own)}, String((user + system) / 1000));
   });`,
  '--',
];
/** Turns before the one that counts, so that neither side is measured with cold code. */
const WARM_UP = 3;

const runTurn = kind === 'adapted' ? await openAdapter() : readWithParse;
for (let round = 0; round < WARM_UP; round++) await runTurn();
const before = process.cpuUsage();
await runTurn();
const { user, system } = process.cpuUsage(before);
writeFileSync(report, JSON.stringify({ cpuMs: (user + system) / 1000 + Number(readFileSync(own, 'utf8')) }));
process.exit(0);

async function readWithParse(): Promise<void> {
  const [program = '', ...args] = COMMAND;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const value = JSON.parse(line) as { readonly event?: { readonly delta?: { readonly text?: string } } };
    text += value.event?.delta?.text ?? '';
  }
  await ended;
  if (text === '') throw new Error('The command has said nothing.');
}

async function openAdapter(): Promise<() => Promise<void>> {
  const file = fileURLToPath(new URL('../descriptions/claude.json', import.meta.url));
  const claude = parseDescription(readFileSync(file, 'utf8'), file);
  const description: Description = { ...claude, command: COMMAND, sessionMode: 'stream', prompt: {} };
  const [near, far] = createMemoryPair();
  void adapterAgent(description, { onDiagnostic: () => {} }).serve(far);
  const client = createConnection(near);
  let length = 0;
  client.onNotification('session/update', (params) => {
    const { update } = params as { readonly update: { readonly content?: { readonly text?: string } } };
    length += update.content?.text?.length ?? 0;
  });
  await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  return async () => {
    // A session for each turn: one that goes on would be resumed.
    const { sessionId } = await client.request<{ sessionId: string }>('session/new', { cwd: '/', mcpServers: [] });
    length = 0;
    await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    if (length === 0) throw new Error('The adapter has said nothing.');
  };
}
