#!/usr/bin/env node
// my-client: asks any ACP agent one thing and shows what it does.
//   my-client "Why does the build fail?" gemini --acp
import { createInterface } from 'node:readline/promises';
import { connect, type PermissionHandler } from '@parley/client';
import { spawnAgent } from '@parley/client/node';

const [prompt = 'Hello!', command = 'parley', ...words] = process.argv.slice(2);
const args = process.argv.length > 3 ? words : ['agent']; // without a command: Parley's own agent

/** Shows the agent's own options and lets the person type the number of one. */
const askInTerminal: PermissionHandler = async ({ toolCall, options }, { signal }) => {
  if (!process.stdin.isTTY) return 'reject'; // nobody is there to answer
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const list = options.map(({ name }, index) => `  ${index + 1}) ${name}`).join('\n');
  try {
    const answer = await terminal.question(`\n${toolCall.title}\n${list}\n> `, { signal });
    const chosen = options[Number(answer) - 1];
    return chosen ? { optionId: chosen.optionId } : 'reject';
  } finally {
    terminal.close();
  }
};

try {
  process.exitCode = await ask(prompt);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** One connection, one session, one turn; the exit code tells how it ended. */
async function ask(question: string): Promise<number> {
  const cwd = process.cwd();
  await using connection = await connect(spawnAgent(command, args), {
    clientInfo: { name: 'my-client', version: '0.1.0' },
    workspace: { roots: [cwd] }, // serves files below this folder; leave it out to serve none
    permissions: { mode: 'default', ask: askInTerminal },
  });
  const session = await connection.newSession({ cwd });
  const turn = session.prompt(question);
  process.once('SIGINT', () => void turn.cancel());
  for await (const event of turn) {
    if (event.type === 'text') process.stdout.write(event.text);
    if (event.type === 'tool_call') console.error(`[${event.toolCall.status}] ${event.toolCall.title}`);
  }
  const { stopReason } = await turn.result;
  process.stdout.write('\n');
  console.error(`${connection.agentInfo?.name ?? connection.agent}: ${stopReason}`);
  return stopReason === 'end_turn' ? 0 : 1;
}
