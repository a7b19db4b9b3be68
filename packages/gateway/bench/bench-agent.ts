/** An agent that does nothing but write, on stdio: a prompt's text says how many updates, and how many milliseconds apart. */
import { createInterface } from 'node:readline';

interface Wanted {
  readonly count: number;
  readonly everyMs?: number;
}

const write = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') write({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === 'session/new') write({ id, result: { sessionId: 'bench' } });
  else if (method === 'session/prompt') void answer(id, params.sessionId, JSON.parse(params.prompt.at(-1).text));
  else if (id !== undefined) write({ id, error: { code: -32601, message: 'Method not found' } });
}

/** Each update is a message of its own, which nobody may join with the next, and tells when it was sent. */
async function answer(id: unknown, sessionId: string, { count, everyMs }: Wanted): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    if (everyMs !== undefined) await new Promise((resolve) => setTimeout(resolve, everyMs));
    const text = `${performance.timeOrigin + performance.now()} ${'x'.repeat(120)}`;
    const update = { sessionUpdate: 'agent_message_chunk', messageId: `m${n}`, content: { type: 'text', text } };
    write({ method: 'session/update', params: { sessionId, update } });
    if (n % 1000 === 999 && process.stdout.writableNeedDrain)
      await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
  write({ id, result: { stopReason: 'end_turn' } });
}
