// The child process of `buildFlakyAgent`: its only argument is the folder in which attempts are counted. Each process leaves its id there
// (`pid-7`), and the MCP servers that it was given last (`mcp-servers.json`).
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = process.argv[2] ?? '.';
writeFileSync(join(folder, `pid-${process.pid}`), '');

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly mcpServers?: unknown; readonly prompt?: readonly { readonly text?: string }[] };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Request;
  if (id === undefined || method === undefined) return;
  const send = (message: object): void =>
    void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  if (method === 'initialize') return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  if (method === 'session/new') {
    writeFileSync(join(folder, 'mcp-servers.json'), JSON.stringify(params?.mcpServers));
    return send({ id, result: { sessionId: 'flaky' } });
  }
  if (method !== 'session/prompt') return send({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  const text = params?.prompt?.map((block) => block.text ?? '').join('') ?? '';
  const said = answer(text);
  if (said === 'die') process.exit(3);
  if (said === 'hang') return;
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } };
  send({ method: 'session/update', params: { sessionId: 'flaky', update } });
  send({ id, result: { stopReason: 'end_turn' } });
});

/** `3/5 what is it?`: of five attempts at this prompt three are right. `die` and `hang` are what they say. */
function answer(text: string): string {
  if (text === 'die' || text === 'hang') return text;
  const [, passes = '1', of = '1'] = /^(\d+)\/(\d+)/.exec(text) ?? [];
  return countAttempt(text) % Number(of) < Number(passes) ? 'right' : 'wrong';
}

/** How many attempts there were before, over all processes; a folder can be made only once. */
function countAttempt(text: string): number {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  for (let count = 0; ; count += 1) {
    try {
      mkdirSync(join(folder, `${name}-${count}`));
      writeFileSync(join(folder, `${name}-${count}`, 'prompt'), text);
      return count;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
