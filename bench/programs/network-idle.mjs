// What an idle WebSocket costs a server of one kind: its resident memory with many of them, past `initialize`, and with few.
import { WebSocket } from 'ws';
import { spawnServer } from '../spawn-server.mjs';

const [kind, countText] = process.argv.slice(2);
const count = Number(countText);
/** So many are open before the first look, so that all code is loaded and warm. */
const WARM = 100;
const AT_ONCE = 50;
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: 1, clientCapabilities: {} },
});

const server = await spawnServer(kind);
await open(WARM);
const few = await server.residentBytes();
await open(count);
const many = await server.residentBytes();
process.stdout.write(`${JSON.stringify({ kibPerConnection: (many - few) / 1024 / count })}\n`);
process.exit(0);

async function open(wanted) {
  for (let opened = 0; opened < wanted; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted - opened) }, openOne));
  }
}

function openOne() {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/acp`, { perMessageDeflate: false });
    socket.once('open', () => socket.send(INITIALIZE));
    socket.once('message', resolve);
    socket.once('error', reject);
  });
}
