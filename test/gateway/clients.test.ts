import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildParley } from '../../packages/cli/test/support/build-parley.ts';
import { until, withDeadline } from '../support/waiting.ts';
import { connectOurs, connectSdkV1, connectSdkV2, type DrivenClient, sdkStreams } from './support/driven-clients.ts';
import { startGateway } from './support/hosted-gateway.ts';

let program = '';
let served: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  program = await buildParley();
  served = await startGateway();
}, 180_000);
afterAll(() => served[Symbol.asyncDispose]());

const SDK = Object.entries(sdkStreams(() => program)).flatMap(([way, open]) => [
  [`the official SDK's, version 1, over ${way}`, () => connectSdkV1(served.port, open)] as const,
  [`the official SDK's, version 2, over ${way}`, () => connectSdkV2(served.port, open)] as const,
]);
const CLIENTS: readonly (readonly [string, () => Promise<DrivenClient>])[] = [
  ...SDK,
  ['ours, version 1', () => connectOurs(served.port, 1)],
  ['ours, version 2', () => connectOurs(served.port, 2)],
];

const TEN = ' 0 1 2 3 4 5 6 7 8 9';

describe.each(CLIENTS)('a client of a gateway: %s', (_, connectClient) => {
  it('prompts, is asked, cancels, goes on, loads, and watches with others', async () => {
    await using one = await connectClient();
    const sessionId = await one.newSession();
    expect(await withDeadline(one.prompt(sessionId, 'count 10'), 'the prompt')).toBe('end_turn');
    await until('all is said', () => one.said() === TEN);
    expect(await withDeadline(one.prompt(sessionId, 'ask it'), 'the question')).toBe('end_turn');
    await until('the answer has arrived', () => one.said() === `${TEN}answer yes`);

    const waiting = one.prompt(sessionId, 'wait');
    await until('the turn runs', () => one.said().endsWith('waiting'));
    await one.cancel(sessionId);
    expect(await withDeadline(waiting, 'the cancelled turn')).toBe('cancelled');

    // Another client of the same kind, and one of ours of each version, open the session and see all of it.
    const viewers = [await connectClient(), await connectOurs(served.port, 1), await connectOurs(served.port, 2)];
    for (const viewer of viewers) await viewer.load(sessionId);
    const before = `${TEN}answer yeswaiting`;
    for (const viewer of viewers) await until('what was said is told', () => viewer.said() === before);
    const [second] = viewers;
    expect(await withDeadline(one.prompt(sessionId, 'count 10'), 'a prompt that others watch')).toBe('end_turn');
    expect(await withDeadline(second?.prompt(sessionId, 'count 3') ?? Promise.resolve(''), 'theirs')).toBe('end_turn');
    for (const viewer of [one, ...viewers])
      await until('all have seen both turns', () => viewer.said() === `${before}${TEN} 0 1 2`);
    await Promise.all(viewers.map((viewer) => viewer[Symbol.asyncDispose]()));
  }, 120_000);
});
