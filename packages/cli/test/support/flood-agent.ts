// An agent that says as many megabytes as it is asked for ("send 3"), at the pace of its client: it heeds `drain`. Each line of
// what it says has its number. With `FLOOD_REPORT` it writes into that file how much it has sent.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const LINE_CHARACTERS = 100;
const LINES_PER_UPDATE = 100;

interface Incoming {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { readonly text?: string }[] };
}

const sessionId = `flood-${process.pid}`;
let isCancelled = false;
createInterface({ input: process.stdin }).on('line', (line) => void answer(JSON.parse(line) as Incoming));

async function answer({ id, method, params = {} }: Incoming): Promise<void> {
  switch (method) {
    case 'initialize':
      return respond(id, { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } });
    case 'session/new':
      return respond(id, { sessionId });
    case 'session/cancel':
      isCancelled = true;
      return;
    case 'session/prompt':
      isCancelled = false;
      if (process.env.FLOOD_REPORT) writeFileSync(process.env.FLOOD_REPORT, '0');
      await flood(Number(/send ([\d.]+)/.exec(params.prompt?.[0]?.text ?? '')?.[1] ?? 0));
      return respond(id, { stopReason: isCancelled ? 'cancelled' : 'end_turn' });
    default:
      if (id !== undefined) respond(id, {});
  }
}

async function flood(megabytes: number): Promise<void> {
  const lines = (megabytes * 1_000_000) / LINE_CHARACTERS;
  for (let line = 0; line < lines && !isCancelled; line += LINES_PER_UPDATE) {
    const text = Array.from(
      { length: Math.min(LINES_PER_UPDATE, lines - line) },
      (_, index) => `${String(line + index).padStart(LINE_CHARACTERS - 1, '.')}\n`,
    ).join('');
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
    if (!send({ method: 'session/update', params: { sessionId, update } })) await once(process.stdout, 'drain');
    if (process.env.FLOOD_REPORT && line % 10_000 === 0) {
      writeFileSync(process.env.FLOOD_REPORT, String(line * LINE_CHARACTERS));
    }
  }
}

function respond(id: number | undefined, result: object): void {
  send({ id, result });
}

function send(message: object): boolean {
  return process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
