import { afterAll, beforeAll, describe } from 'vitest';
import type { SessionStore } from '../src/index.ts';
import { eventCases } from './cases/event-cases.ts';
import { followCases } from './cases/follow-cases.ts';
import { inboundCases } from './cases/inbound-cases.ts';
import { inputCases } from './cases/input-cases.ts';
import { lifetimeCases } from './cases/lifetime-cases.ts';
import { listCases } from './cases/list-cases.ts';
import { orderCases } from './cases/order-cases.ts';
import { ownershipCases } from './cases/ownership-cases.ts';
import { sessionCases } from './cases/session-cases.ts';
import { type Cases, MAX_EVENT_BYTES, type NewSubject, type OpenStore } from './cases/subject.ts';
import { trimCases } from './cases/trim-cases.ts';
import { watchCases } from './cases/watch-cases.ts';

/** The contract of a session store as cases that every implementation passes, and `more` that this one does. `open` makes an empty store. */
export function sessionLogCases(name: string, open: OpenStore, more: Readonly<Record<string, Cases>> = {}): void {
  describe(`the session log, ${name}`, () => {
    const clock = { nowMs: 1_700_000_000_000 };
    const opened: SessionStore[] = [];
    let subjects = 0;

    beforeAll(() => {
      const pages = { maxPageEvents: 16, maxPageBytes: 4096, maxListBytes: 4096 };
      const limits = { ...pages, maxEventBytes: MAX_EVENT_BYTES, maxTailEvents: 8 };
      opened.push(open({ now: () => clock.nowMs, limits }));
    });
    afterAll(async () => {
      for (const store of opened) await store.close();
    });

    const newSubject: NewSubject = async () => {
      const [store] = opened;
      if (!store) throw new Error('The store is not open.');
      const sessionId = `session-${++subjects}`;
      const log = store.log(`principal-${subjects}`);
      await log.create({ id: sessionId, cwd: '/proj' });
      return { store, log, sessionId, clock };
    };

    describe('sessions', () => sessionCases(newSubject));
    describe('lists', () => listCases(newSubject));
    describe('order', () => orderCases(newSubject));
    describe('events', () => eventCases(newSubject));
    describe('trimming', () => trimCases(newSubject));
    describe('following', () => followCases(newSubject));
    describe('watching', () => watchCases(newSubject));
    describe('inputs', () => inputCases(newSubject));
    describe('inbound keys', () => inboundCases(newSubject));
    describe('ownership', () => ownershipCases(newSubject));
    for (const [title, cases] of Object.entries(more)) describe(title, () => cases(newSubject));
    describe('a store', () => lifetimeCases(open));
  });
}
