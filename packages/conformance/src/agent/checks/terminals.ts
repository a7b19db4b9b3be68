import { isAbsolutePath } from '@parley/protocol';
import type { Finding } from '../../lints/finding.ts';
import { checkParams } from '../../lints/schema.ts';
import { asRequest, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import { answerWithin, show } from '../../probe/answer.ts';
import { expect, notProvoked } from '../../verdict.ts';
import { wordsOf } from '../../versions/words.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import type { Hearing } from '../run/agent-run.ts';
import { forbidden } from './files.ts';

const group = 'terminals';
const source = 'protocol/v1/terminals';
const unheard = 'The agent created no terminal. Provoke it with --prompt-for-terminal.';

export const terminals: readonly Check[] = [
  lint({
    id: 'TERM-01',
    level: 'MUST',
    group,
    source,
    rules: [127, 33],
    says: 'terminal/* is never called when the client did not offer terminals',
    unheard: 'No turn was held with a client that offers no terminals.',
    look: (hearing) => forbidden(hearing, 'terminal/'),
  }),
  lint({
    id: 'TERM-02',
    level: 'MUST',
    group,
    source,
    rules: [136],
    says: 'Every terminal is released by the end of its turn',
    unheard,
    look: findUnreleased,
  }),
  check({
    id: 'TERM-03',
    level: 'MUST',
    group,
    source,
    rules: [136],
    says: 'A terminal is released when its turn is cancelled',
    async run({ requireTurns, newSession, prompts, limits }) {
      await requireTurns();
      const session = await newSession();
      const { probe } = session;
      const turn = session.begin(prompts.terminal);
      const created = probe.waitFor((frame) => asRequest(frame)?.method === 'terminal/create', {
        since: turn.mark,
        timeoutMs: limits.turnMs,
      });
      const first = await Promise.race([created, turn.answer.then(() => undefined)]);
      if (!first) notProvoked(unheard);
      session.cancel();
      await answerWithin(turn.answer, limits.turnMs);
      await probe.settle();
      const unreleased = [...terminalsIn(probe.trace.since(turn.mark)).entries()].find(([, isReleased]) => !isReleased);
      expect(unreleased === undefined, 'every terminal released', `${show(unreleased?.[0])} still held`);
    },
  }),
  lint({
    id: 'TERM-04',
    level: 'MUST',
    group,
    source,
    rules: [137],
    says: 'A terminal is not used after it was released, and none that was never created',
    unheard,
    *look({ trace }) {
      const live = new Set<unknown>();
      const creating = new Set<string>();
      for (const frame of trace.frames) {
        const request = frame.from === 'agent' ? asRequest(frame) : undefined;
        if (request?.method === 'terminal/create') creating.add(keyOfId(request.id));
        if (frame.from === 'client' && isResponse(frame) && creating.delete(keyOfId(idOf(frame)))) {
          live.add(fieldsOf(fieldsOf(frame.value).result).terminalId);
        }
        if (!request || !USES.includes(request.method)) continue;
        const { terminalId } = fieldsOf(request.params);
        yield live.has(terminalId)
          ? { frame }
          : {
              frame,
              problem: { expected: 'a terminal that is held', got: `${request.method} of ${show(terminalId)}` },
            };
        if (request.method === 'terminal/release') live.delete(terminalId);
      }
    },
  }),
  lint({
    id: 'TERM-05',
    level: 'MUST',
    group,
    source,
    rules: [102],
    says: 'terminal/create fits the schema, and its cwd is absolute',
    unheard,
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const request = asRequest(frame);
        if (request?.method !== 'terminal/create') continue;
        const problem = checkParams(hearing.protocol, request.method, request.params);
        const { cwd } = fieldsOf(request.params);
        const isGoodCwd = cwd === undefined || cwd === null || (typeof cwd === 'string' && isAbsolutePath(cwd));
        const got = problem?.message ?? (isGoodCwd ? undefined : `cwd ${show(cwd)}`);
        yield got === undefined
          ? { frame }
          : { frame, problem: { expected: 'valid params with an absolute cwd', got } };
      }
    },
  }),
];

const USES = ['terminal/output', 'terminal/wait_for_exit', 'terminal/kill', 'terminal/release'];

/** The terminals created in these frames, and whether each was released. */
function terminalsIn(frames: readonly Frame[]): ReadonlyMap<unknown, boolean> {
  const found = new Map<unknown, boolean>();
  const creating = new Set<string>();
  for (const frame of frames) {
    const request = frame.from === 'agent' ? asRequest(frame) : undefined;
    if (request?.method === 'terminal/create') creating.add(keyOfId(request.id));
    if (request?.method === 'terminal/release') found.set(fieldsOf(request.params).terminalId, true);
    if (frame.from === 'client' && isResponse(frame) && creating.delete(keyOfId(idOf(frame)))) {
      const { terminalId } = fieldsOf(fieldsOf(frame.value).result);
      if (terminalId !== undefined) found.set(terminalId, false);
    }
  }
  return found;
}

/** Only traces whose last turn has ended: in others the agent may still come to it. */
function* findUnreleased({ trace, protocol }: Hearing): Iterable<Finding> {
  const end = trace.frames.findLast((frame) => frame.from === 'agent' && wordsOf(protocol).isTurnEnd(frame));
  const until = trace.frames.filter(({ number }) => number <= (end?.number ?? 0));
  for (const [terminalId, isReleased] of terminalsIn(until)) {
    const problem = { expected: 'every terminal released', got: `${show(terminalId)} still held` };
    const frame = end ?? trace.frames[0];
    yield { ...(frame && { frame }), ...(isReleased ? {} : { problem }) };
  }
}
