// A client in one screen: starts an agent, asks it something, and shows what it does.
// Run it: npx tsx --conditions=source examples/client.ts "Why does the build fail?" gemini --acp
// Without a command of your own it talks to the echo agent beside this file.
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { connect, type PermissionHandler } from '@parley/client';
import { spawnAgent } from '@parley/client/node';

const [question = 'Hello!', command = process.execPath, ...args] = process.argv.slice(2);
const echo = ['--import', 'tsx', '--conditions=source', fileURLToPath(new URL('echo-agent.ts', import.meta.url))];

/** Shows the agent's own options and lets the person type the number of one. */
const askInTerminal: PermissionHandler = async ({ toolCall, options, because }, { signal }) => {
  if (!process.stdin.isTTY) return 'reject'; // nobody is there to answer
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const list = options.map(({ name }, index) => `  ${index + 1}) ${name}`).join('\n');
  try {
    const answer = await terminal.question(`\n${toolCall.title}\n${because}\n${list}\n> `, { signal });
    const chosen = options[Number(answer) - 1];
    return chosen ? { optionId: chosen.optionId } : 'reject';
  } finally {
    terminal.close();
  }
};

await using connection = await connect(spawnAgent(command, command === process.execPath ? echo : args), {
  workspace: { roots: [process.cwd()] },
  permissions: { mode: 'acceptEdits', rules: ['Bash(git *)'], ask: askInTerminal },
  onPhase: ({ phase, status, elapsedMs }) => {
    if (status === 'waiting') console.error(`waiting for ${phase}, ${Math.round(elapsedMs / 1000)} s`);
  },
});
const session = await connection.newSession({ cwd: process.cwd() });

const turn = session.prompt(question);
for await (const event of turn) {
  if (event.type === 'text') process.stdout.write(event.text);
  if (event.type === 'tool_call') console.error(`[${event.toolCall.status}] ${event.toolCall.title}`);
}
const { stopReason, toolCalls } = await turn.result;
console.log(`\n${connection.agentInfo?.name ?? connection.agent}: ${stopReason}, ${toolCalls.length} tool calls`);
