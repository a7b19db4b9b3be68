// A client that opens an agent and a terminal, tells their pids, and waits to be killed.
import { tmpdir } from 'node:os';
import { connect } from '../../src/connect/connect.ts';
import { createNodeTerminals } from '../../src/node/node-terminals.ts';
import { spawnAgent } from '../../src/node/spawn-agent.ts';

const [command = '', ...args] = JSON.parse(process.argv[2] ?? '[]') as string[];
const connection = await connect(spawnAgent(command, args, { recordsDir: false }));
const session = await connection.newSession({ cwd: tmpdir() });
const { text } = await session.prompt('go').result;
await createNodeTerminals().create({
  sessionId: session.id,
  command: 'sh',
  args: ['-c', "trap '' TERM HUP; echo child $$; while :; do sleep 0.1; done"],
  env: {},
  cwd: tmpdir(),
  outputByteLimit: 1000,
  onOutput: (output) => process.stdout.write(`${output}${text}`),
});
setInterval(() => {}, 1000);
