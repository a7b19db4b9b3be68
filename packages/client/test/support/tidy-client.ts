// A client that opens agents with everything switched on, closes them, and tells what is left. Then it must end by itself.
import { tmpdir } from 'node:os';
import { connect } from '../../src/connect/connect.ts';
import { spawnAgent } from '../../src/node/spawn-agent.ts';

for (const commandLine of JSON.parse(process.argv[2] ?? '[]') as string[][]) {
  const [command = '', ...args] = commandLine;
  const connection = await connect(spawnAgent(command, args, { recordsDir: false }), {
    workspace: {},
    terminals: true,
    reconnect: true,
    watchdog: { onSilence: () => {} },
    permissions: { ask: () => undefined },
  });
  const session = await connection.newSession({ cwd: tmpdir() });
  session.prompt('go');
  await new Promise((resolve) => session.on('change', resolve));
  await connection.close();
}
// Node takes a few turns to close the handles of a process that has ended.
await new Promise((resolve) => setTimeout(resolve, 50));
process.stdout.write(JSON.stringify(process.getActiveResourcesInfo()));
