import { createCertificates } from '@parley/testing/certificates';
import { transportCases } from '@parley/testing/transport-cases';
import { WebSocket as SpecWebSocket } from 'undici';
import { vi } from 'vitest';
import { httpAgent as browserHttpAgent } from '../../src/http/index.ts';
import { httpAgent } from '../../src/http/node/index.ts';
import { sseAgent as browserSseAgent } from '../../src/sse/index.ts';
import { sseAgent } from '../../src/sse/node/index.ts';
import { webSocketAgent as browserAgent } from '../../src/websocket/index.ts';
import { webSocketAgent } from '../../src/websocket/node/index.ts';
import { openWire } from './wires.ts';

const toWebSocket = (url: string) => url.replace(/^http/, 'ws');

transportCases('a WebSocket of Node', () => openWire((url) => webSocketAgent(toWebSocket(url))));

transportCases(
  'a WebSocket of the platform',
  () => {
    vi.stubGlobal('WebSocket', SpecWebSocket);
    return openWire((url) => browserAgent(toWebSocket(url)));
  },
  { canSlowTheSender: false },
);

transportCases('streamable HTTP in Node', () => openWire((url) => httpAgent(url)));

const { ca, cert, key } = createCertificates();
transportCases('streamable HTTP in Node, over TLS and HTTP/2', () =>
  openWire((url) => httpAgent(url, { ca }), { tls: { cert, key } }),
);

transportCases("streamable HTTP with the platform's fetch", () => openWire((url) => browserHttpAgent(url)));

transportCases('HTTP+SSE in Node', () => openWire((url) => sseAgent(url)));

transportCases("HTTP+SSE with the platform's fetch", () => openWire((url) => browserSseAgent(url)));
