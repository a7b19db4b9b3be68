import { expect, it } from 'vitest';
import type { NewSubject } from '../session-log-cases.ts';
import { range } from './collect.ts';

export function requestCases(newSubject: NewSubject): void {
  it('keeps a request open until it is answered', async () => {
    const { log, sessionId, clock } = await newSubject();
    const asked = await log.addRequest(sessionId, { requestId: 'r1', body: { may: 'I?' } });
    expect(asked).toEqual({ requestId: 'r1', body: { may: 'I?' }, askedAtMs: clock.nowMs, answer: null });
    await log.addRequest(sessionId, { requestId: 'a2', body: 2 });
    expect((await log.openRequests(sessionId)).map(({ requestId }) => requestId)).toEqual(['r1', 'a2']);

    clock.nowMs += 10;
    const result = await log.answerRequest(sessionId, 'r1', { body: { yes: true }, answeredBy: 'web' });
    const answer = { body: { yes: true }, answeredBy: 'web', answeredAtMs: clock.nowMs };
    expect(result).toEqual({ isFirst: true, answer });
    expect((await log.openRequests(sessionId)).map(({ requestId }) => requestId)).toEqual(['a2']);
  });

  it('lets the first answer win and tells the others what it was', async () => {
    const { log, sessionId } = await newSubject();
    await log.addRequest(sessionId, { requestId: 'r', body: 1 });
    const answers = range(1, 50).map((n) => log.answerRequest(sessionId, 'r', { body: n, answeredBy: `viewer ${n}` }));
    const results = await Promise.all(answers);
    const [winner, ...others] = results.filter(({ isFirst }) => isFirst);
    expect(others).toEqual([]);
    for (const { answer } of results) expect(answer).toEqual(winner?.answer);
  });

  it('changes nothing when the same request is added again', async () => {
    const { log, sessionId, clock } = await newSubject();
    const first = await log.addRequest(sessionId, { requestId: 'r', body: 'first' });
    clock.nowMs += 10;
    expect(await log.addRequest(sessionId, { requestId: 'r', body: 'second' })).toEqual(first);
    const { answer } = await log.answerRequest(sessionId, 'r', { body: 'yes', answeredBy: 'me' });
    expect(await log.addRequest(sessionId, { requestId: 'r', body: 'third' })).toEqual({ ...first, answer });
    expect(await log.openRequests(sessionId)).toEqual([]);
  });

  it('knows no answer to what was never asked', async () => {
    const { log, sessionId } = await newSubject();
    const answer = log.answerRequest(sessionId, 'r', { body: 1, answeredBy: 'me' });
    await expect(answer).rejects.toMatchObject({ code: 'request_not_found' });
  });

  it('takes a request only from the owner', async () => {
    const { log, sessionId } = await newSubject();
    const { epoch } = await log.acquire(sessionId, { owner: 'first' });
    const stranger = log.addRequest(sessionId, { requestId: 'r', body: 1 });
    await expect(stranger).rejects.toMatchObject({ code: 'stale_owner' });
    await log.addRequest(sessionId, { requestId: 'r', body: 1 }, { epoch });
    expect(await log.openRequests(sessionId)).toHaveLength(1);
  });
}
