import type { SessionEvent } from '@parley/session';
import { describe, expect, it } from 'vitest';
import { SessionRouter } from './session-router.ts';

const event = (modeId: string): SessionEvent => ({ type: 'mode', modeId });

function sink(): { received: SessionEvent[]; receive: (event: SessionEvent) => void } {
  const received: SessionEvent[] = [];
  return { received, receive: (each) => received.push(each) };
}

describe('routing', () => {
  it('brings events to their session only', () => {
    const router = new SessionRouter(10);
    const [a, b] = [sink(), sink()];
    router.add('a', a);
    router.add('b', b);
    router.route('a', event('1'));
    router.route('b', event('2'));
    router.route('c', event('3'));
    router.remove('a', a);
    router.route('a', event('4'));
    expect([a.received, b.received]).toEqual([[event('1')], [event('2')]]);
    expect(router.counts).toEqual({ foreign: 2, dropped: 0 });
  });

  it('keeps early events while a session is being made, in order, and forgets what nobody took', () => {
    const router = new SessionRouter(10);
    const stop = router.expect();
    router.route('new', event('1'));
    router.route('other', event('x'));
    router.route('new', event('2'));
    const session = sink();
    router.add('new', session);
    router.route('new', event('3'));
    stop();
    stop();
    expect(session.received).toEqual([event('1'), event('2'), event('3')]);
    expect(router.counts).toEqual({ foreign: 1, dropped: 0 });
    const late = sink();
    router.add('other', late);
    expect(late.received).toEqual([]);
  });

  it('keeps no more than it may', () => {
    const router = new SessionRouter(2);
    router.expect();
    for (let index = 0; index < 5; index += 1) router.route('new', event(String(index)));
    const session = sink();
    router.add('new', session);
    expect(session.received).toHaveLength(2);
    expect(router.counts).toEqual({ foreign: 0, dropped: 3 });
  });

  it('is given up only by the sink that has the session', () => {
    const router = new SessionRouter(2);
    const [old, next] = [sink(), sink()];
    router.add('a', old);
    router.add('a', next);
    router.remove('a', old);
    router.route('a', event('1'));
    expect(next.received).toEqual([event('1')]);
  });
});
