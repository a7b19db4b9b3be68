import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY_CASES, ROUTING_CASES } from './body-cases.ts';
import { exchangeRaw, get, INITIALIZE, type Known, TOKEN } from './raw-http.ts';
import { GUARD_CASES, HEADER_CASES, LENGTH_CASES, LINE_CASES } from './request-cases.ts';
import { type ServedAgent, serveAgent } from './served-agent.ts';

let served: ServedAgent;
let known: Known;
beforeAll(async () => {
  served = await serveAgent();
  known = await openConnection(served.listener.port);
});
afterAll(async () => {
  await served.serveGoodClient();
  await served[Symbol.asyncDispose]();
});

describe.each([
  ['a request line', LINE_CASES],
  ['the guard', GUARD_CASES],
  ['a length', LENGTH_CASES],
  ['a header', HEADER_CASES],
  ['a body', BODY_CASES],
  ['a connection', ROUTING_CASES],
])('what is wrong with %s', (_, cases) => {
  it.each(cases)('$title', async ({ send, expects }) => {
    const { statuses } = await exchangeRaw(known.port, typeof send === 'function' ? send(known) : send);
    expect(statuses).toEqual(expects);
    const next = await exchangeRaw(known.port, get('OPTIONS /acp HTTP/1.1'));
    expect(next.statuses).toEqual([204]);
  });
});

async function openConnection(port: number): Promise<Known> {
  const url = `http://127.0.0.1:${port}/acp`;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const opened = await fetch(url, { method: 'POST', headers, body: INITIALIZE });
  return { port, connectionId: opened.headers.get('acp-connection-id') ?? '', sessionId: 's1' };
}
