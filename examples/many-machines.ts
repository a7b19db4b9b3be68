// Two gateways that share their sessions in PostgreSQL, a balancer in front of them, and a client that notices nothing when the
// gateway it talks to is killed. Runs with one command on one machine:
//
//   npx tsx --conditions=source examples/many-machines.ts [postgres://user@host/database]
//
// Without an address it starts a PostgreSQL server of its own in a temporary folder, if there is one on this machine.
// On many machines each gateway is `parley serve --store postgres://...`; see docs/many-machines.md.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { agent } from '@parley/agent';
import { connect } from '@parley/client';
import { gateway } from '@parley/gateway';
import { postgresStore } from '@parley/store/postgres';
import { startPostgres } from '@parley/testing/postgres';
import { webSocketAgent } from '@parley/transports/websocket';

const TOKEN = 'example';

if (process.argv[2] === '--gateway') await serveGateway(process.argv[3] ?? '');
else await show(process.argv[2]);

/** One machine: an agent behind a gateway, and nothing of its sessions but in the database. */
async function serveGateway(url: string): Promise<void> {
  const store = postgresStore({ url });
  const counter = agent({ name: 'counter', version: '1.0.0', store }).onPrompt(async (turn) => {
    for (let n = 1; n <= Number(turn.text) && !turn.signal.aborted; n++) {
      await turn.say(`${n} `);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  const listener = await gateway({ agents: { counter }, store }).listen({ port: 0, token: TOKEN });
  process.send?.(listener.port);
}

async function show(given: string | undefined): Promise<void> {
  await using database = given === undefined ? await startPostgres() : undefined;
  const url = given ?? database?.url;
  if (url === undefined) {
    console.log('There is no PostgreSQL on this machine; name one: postgres://user@host/database');
    return;
  }
  const machines = await Promise.all([startMachine(url), startMachine(url)]);
  const balancer = await startBalancer(machines);
  try {
    const address = `ws://127.0.0.1:${balancer.port}/acp`;
    await using connection = await connect(webSocketAgent(address, { token: TOKEN }), { reconnect: true });
    const session = await connection.newSession({ cwd: process.cwd() });
    console.log(`A session is open through the balancer at ${address}.`);
    console.log(`It counts: ${(await session.prompt('5').result).text}`);

    const turn = session.prompt('500');
    await new Promise<void>((resolve) => session.on('event', ({ type }) => type === 'message_chunk' && resolve()));
    const [first] = balancer.used;
    console.log(`The gateway on port ${first?.port} is killed in the middle of a turn.`);
    first?.process.kill('SIGKILL');
    await turn.result.catch((error: Error) => console.log(`The turn is reported as what it is: ${error.message}`));
    while (session.state !== 'idle') await new Promise((resolve) => setTimeout(resolve, 20));
    console.log(`It counts on, at the other gateway: ${(await session.prompt('5').result).text}`);
    console.log(`Everything that was said before is still there: ${session.transcript.turns.length} turns.`);
  } finally {
    balancer.close();
    for (const machine of machines) machine.process.kill('SIGKILL');
  }
}

interface Machine {
  readonly port: number;
  readonly process: ChildProcess;
}

async function startMachine(url: string): Promise<Machine> {
  const child = fork(fileURLToPath(import.meta.url), ['--gateway', url], { execArgv: process.execArgv });
  const [port] = (await once(child, 'message')) as [number];
  return { port, process: child };
}

/** Passes each connection to the next machine that takes it. Any balancer for TCP does. */
async function startBalancer(machines: readonly Machine[]) {
  const used: Machine[] = [];
  let next = 0;
  const pass = (client: Socket, tries = machines.length): void => {
    const machine = machines[next++ % machines.length];
    if (!machine || tries === 0) return void client.destroy();
    const upstream = connectSocket(machine.port, '127.0.0.1');
    const refused = (): void => pass(client, tries - 1);
    upstream.once('error', refused);
    upstream.once('connect', () => {
      used.push(machine);
      upstream.off('error', refused);
      pipeline(client, upstream, client, () => {});
    });
  };
  const server = createServer((client) => pass(client.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, used, close: () => server.close() };
}
