import { randomUUID } from 'node:crypto';
import { formatEntry } from '@parley/session/traces';
import type { Route, RouteRequest } from '@parley/transports/listen';
import type { TrafficBatch, WebGateway } from './web-gateway.ts';

/** Numbers of entries count from the start of this process. */
const RUN = randomUUID().slice(0, 8);

const IS_OFF =
  'This server keeps no traffic: `serve.traffic` is off in its settings. A recorded trace can be opened all the same.\n';

/** A proxy must not hold it back. */
const HEADERS = { 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' };

/**
 * `/api/traffic`: what has passed and what passes on the wires of whoever asks, one entry a line, in the format of traces with `seq` before
 * it. The first line names the run of the server; with it (`run`) and the last `seq` (`after`) a reader that was cut off goes on.
 */
export function trafficRoute(gateway: Pick<WebGateway, 'watchTraffic'>): Route {
  return {
    access: 'token',
    handle: (request) => {
      const batches = gateway.watchTraffic(readQuery(request));
      if (!batches) return { status: 404, body: IS_OFF };
      return { status: 200, headers: HEADERS, body: toLines(batches) };
    },
  };
}

function readQuery({ query, principal = '', signal }: RouteRequest): Parameters<WebGateway['watchTraffic']>[0] {
  const agent = query.get('agent');
  const sessionId = query.get('sessionId');
  const after = query.get('run') === RUN ? Number(query.get('after')) : 0;
  return {
    principal,
    signal,
    ...(agent !== null && { agent }),
    ...(sessionId !== null && { sessionId }),
    ...(Number.isSafeInteger(after) && after > 0 && { after }),
  };
}

async function* toLines(batches: AsyncIterable<TrafficBatch>): AsyncGenerator<string> {
  yield `${JSON.stringify({ run: RUN })}\n`;
  for await (const { entries, missed } of batches) {
    const lines = entries.map(({ seq, ...entry }) => `{"seq":${seq},${formatEntry(entry).slice(1)}`);
    if (missed > 0) lines.unshift(`${JSON.stringify({ missed })}\n`);
    yield lines.join('');
  }
}
