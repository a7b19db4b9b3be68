import { type TransportPair, transportCases } from '@parley/testing/transport-cases';
import { httpAgent } from '../../src/http/node/index.ts';
import { sseAgent } from '../../src/sse/node/index.ts';
import { openWire } from '../network/wires.ts';

/** The same wires as for the clients, with the server under test. The server of a WebSocket has a test of its own. */
transportCases('the server of streamable HTTP', async () => swap(await openWire((url) => httpAgent(url))));

transportCases('the server of HTTP+SSE', async () => swap(await openWire((url) => sseAgent(url))));

function swap(pair: TransportPair): TransportPair {
  return { ...pair, near: pair.far, far: pair.near };
}
