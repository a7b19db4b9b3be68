import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byteTransportCases, type PairLimits, transportCases } from '@parley/testing/transport-cases';
import { spawnProcess } from '@parley/transports/process';
import { StreamTransport } from '@parley/transports/stream';

transportCases('a spawned process', openRelay);
byteTransportCases('a spawned process, raw', {
  openPair: openRelay,
  frame: (bytes) => Buffer.concat([bytes, Buffer.from('\n')]),
  endsFramesAtNewline: true,
  toleratesNoise: true,
});

async function openRelay(limits: PairLimits = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-relay-'));
  const path = join(folder, 'socket');
  const server = createServer({ allowHalfOpen: true }).listen(path);
  await once(server, 'listening');
  const near = await spawnProcess({
    command: process.execPath,
    args: [fileURLToPath(new URL('./fixtures/relay.mjs', import.meta.url)), path],
    recordsDir: false,
    ...limits,
  });
  const [socket] = (await once(server, 'connection')) as [Socket];
  return {
    near,
    far: new StreamTransport({ readable: socket, writable: socket }),
    writeRaw: (bytes: Uint8Array) => void socket.write(bytes),
    async dispose() {
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}
