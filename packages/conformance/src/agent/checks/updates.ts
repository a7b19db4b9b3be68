import type { Finding } from '../../lints/finding.ts';
import { checkParams } from '../../lints/schema.ts';
import { asRequest, asUpdate, type Fields, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import { show } from '../../probe/answer.ts';
import { BOTH } from '../../versions/protocol.ts';
import { wordsOf } from '../../versions/words.ts';
import type { Check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import type { Hearing } from '../run/agent-run.ts';

const group = 'updates';

export const updates: readonly Check[] = [
  lint({
    id: 'UPDATE-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'schema, SessionUpdate',
    rules: [77, 96],
    says: 'Every session/update fits the schema',
    unheard: 'The agent sent no session/update.',
    *look(hearing) {
      for (const { frame, params } of updateParams(hearing)) {
        const problem = checkParams(hearing.protocol, 'session/update', params);
        yield problem?.kind === 'invalid'
          ? { frame, problem: { expected: 'a valid update', got: problem.message } }
          : { frame };
      }
    },
  }),
  lint({
    id: 'UPDATE-02',
    protocols: BOTH,
    level: 'SHOULD',
    group,
    source: 'schema, x-deserialize-default-on-error',
    rules: [23],
    says: 'No reader has to repair an optional field of a session/update',
    unheard: 'The agent sent no session/update.',
    *look(hearing) {
      for (const { frame, params } of updateParams(hearing)) {
        const problem = checkParams(hearing.protocol, 'session/update', params);
        yield problem?.kind === 'repaired'
          ? { frame, problem: { expected: 'well-formed optional fields', got: problem.message } }
          : { frame };
      }
    },
  }),
  lint({
    id: 'UPDATE-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'protocol/v1/prompt-turn',
    rules: [51, 85],
    says: 'Every session/update names a session of this connection',
    unheard: 'The agent sent no session/update.',
    *look(hearing) {
      const known = sessionsOf(hearing);
      for (const frame of fromAgent(hearing)) {
        const update = asUpdate(frame);
        if (!update) continue;
        const isKnown = known.has(String(update.sessionId));
        yield isKnown
          ? { frame }
          : { frame, problem: { expected: 'a session opened here', got: show(update.sessionId) } };
      }
    },
  }),
  lint({
    id: 'UPDATE-04',
    level: 'MUST',
    group,
    source: 'schema; rfds/session-notices',
    rules: [125, 33, 37],
    says: 'Notices and compaction are told only to a client that wants them',
    unheard: 'No turn was held with a client that does not want them.',
    *look(hearing) {
      if (hearing.profile !== 'bare') return;
      for (const frame of fromAgent(hearing)) {
        const update = asUpdate(frame);
        if (wordsOf(hearing.protocol).isTurnEnd(frame)) yield { frame };
        if (!update || !/^(notice|compaction_)/.test(update.kind)) continue;
        yield { frame, problem: { expected: 'none, since the client did not advertise them', got: update.kind } };
      }
    },
  }),
  lint({
    id: 'UPDATE-05',
    level: 'MUST',
    group,
    source: 'rfds/session-notices',
    rules: [125],
    says: 'A notice has a title',
    unheard: 'The agent sent no notice.',
    look: (hearing) =>
      each(hearing, 'notice', ({ title }) => (title ? undefined : { expected: 'a title', got: show(title) })),
  }),
  lint({
    id: 'UPDATE-06',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'rfds/session-compaction',
    rules: [126],
    says: 'A compaction begins before its summary, ends once, and tells a summary or an error only where it has one',
    unheard: 'The agent compacted no session.',
    look: findCompactionFaults,
  }),
  lint({
    id: 'UPDATE-07',
    level: 'MUST',
    group,
    source: 'protocol/v1/agent-plan',
    rules: [115],
    says: 'A plan is a list of entries with content, priority and status',
    unheard: 'The agent told no plan.',
    look: (hearing) =>
      each(hearing, 'plan', ({ entries }) => {
        const list = Array.isArray(entries) ? entries : [undefined];
        const bad = list.find((entry) => {
          const { content, priority, status } = fieldsOf(entry);
          return (
            typeof content !== 'string' || !PRIORITIES.includes(String(priority)) || !STATUSES.includes(String(status))
          );
        });
        return bad === undefined && Array.isArray(entries)
          ? undefined
          : { expected: 'complete entries', got: show(bad ?? entries) };
      }),
  }),
  lint({
    id: 'UPDATE-08',
    protocols: BOTH,
    level: 'MAY',
    group,
    source: 'protocol/v1/slash-commands',
    rules: [117],
    says: 'Each command has a name of its own, without a slash or spaces',
    unheard: 'The agent told no commands.',
    look: (hearing) =>
      each(hearing, 'available_commands_update', ({ availableCommands }) => {
        const names = (Array.isArray(availableCommands) ? availableCommands : []).map((command) =>
          String(fieldsOf(command).name),
        );
        const bad = names.find((name, index) => name === '' || /^\/|\s/.test(name) || names.indexOf(name) !== index);
        return bad === undefined ? undefined : { expected: 'names that a person can type after "/"', got: show(bad) };
      }),
  }),
  lint({
    id: 'UPDATE-09',
    protocols: BOTH,
    level: 'MAY',
    group,
    source: 'protocol/v1/session-list',
    rules: [70],
    says: 'A session_info_update never carries the cwd or the id of the session',
    unheard: 'The agent sent no session_info_update.',
    look: (hearing) =>
      each(hearing, 'session_info_update', (update) => {
        const field = ['cwd', 'sessionId'].find((name) => name in update);
        return field === undefined ? undefined : { expected: 'only what can change', got: `a field ${show(field)}` };
      }),
  }),
  lint({
    id: 'UPDATE-10',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'clients have shown "521 % of the context used"',
    rules: [96],
    says: 'A usage_update never tells more used than there is',
    unheard: 'The agent told no usage.',
    look: (hearing) =>
      each(hearing, 'usage_update', ({ used, size }) =>
        Number(used) <= Number(size)
          ? undefined
          : { expected: 'used <= size', got: `used ${show(used)}, size ${show(size)}` },
      ),
  }),
  lint({
    id: 'UPDATE-11',
    level: 'MAY',
    group,
    source: 'rfds/message-id',
    rules: [88],
    says: 'Chunks with one messageId are all of one kind',
    unheard: 'The agent gave no messageId.',
    *look(hearing) {
      const kinds = new Map<string, string>();
      for (const frame of fromAgent(hearing)) {
        const update = asUpdate(frame);
        const messageId = update?.update.messageId;
        if (!update || messageId === undefined || messageId === null) continue;
        const key = `${String(update.sessionId)} ${String(messageId)}`;
        const known = kinds.get(key) ?? update.kind;
        kinds.set(key, known);
        yield known === update.kind
          ? { frame }
          : { frame, problem: { expected: `${known} for ${show(messageId)}`, got: update.kind } };
      }
    },
  }),
];

const PRIORITIES = ['high', 'medium', 'low'];
const STATUSES = ['pending', 'in_progress', 'completed'];

/** Judges every update of one kind. */
function* each(
  hearing: Hearing,
  kind: string,
  fault: (update: Fields) => Finding['problem'] | undefined,
): Iterable<Finding> {
  for (const frame of fromAgent(hearing)) {
    const update = asUpdate(frame);
    if (update?.kind !== kind) continue;
    const problem = fault(update.update);
    yield problem ? { frame, problem } : { frame };
  }
}

function* updateParams(hearing: Hearing): Iterable<{ readonly frame: Frame; readonly params: unknown }> {
  for (const frame of fromAgent(hearing)) {
    if (asUpdate(frame)) yield { frame, params: fieldsOf(frame.value).params };
  }
}

/** Sessions that were opened on this wire, or asked for. Updates may come before the answer that names the session. */
export function sessionsOf({ trace }: Hearing): ReadonlySet<string> {
  const known = new Set<string>();
  const opening = new Set<string>();
  for (const frame of trace.frames) {
    const request = frame.from === 'client' ? asRequest(frame) : undefined;
    if (request?.method === 'session/new' || request?.method === 'session/fork') opening.add(keyOfId(request.id));
    if (request?.method === 'session/load' || request?.method === 'session/resume') {
      known.add(String(fieldsOf(request.params).sessionId));
    }
    if (frame.from === 'agent' && isResponse(frame) && opening.has(keyOfId(idOf(frame)))) {
      known.add(String(fieldsOf(fieldsOf(frame.value).result).sessionId));
    }
  }
  return known;
}

function* findCompactionFaults(hearing: Hearing): Iterable<Finding> {
  const states = new Map<string, string>();
  for (const frame of fromAgent(hearing)) {
    const update = asUpdate(frame);
    if (!update?.kind.startsWith('compaction_')) continue;
    const { compactionId, status, summary, error } = update.update;
    const key = `${String(update.sessionId)} ${String(compactionId)}`;
    const before = states.get(key);
    const say = (expected: string, got: string): Finding => ({ frame, problem: { expected, got } });
    if (update.kind === 'compaction_summary_chunk') {
      yield before === 'in_progress'
        ? { frame }
        : say('a chunk while the compaction is in progress', `one ${before ? `after ${before}` : 'before it began'}`);
      continue;
    }
    if (before !== undefined && before !== 'in_progress')
      yield say('one final status', `${show(status)} after ${before}`);
    else if (summary && status !== 'completed')
      yield say('a summary only with "completed"', `one with ${show(status)}`);
    else if (error && status !== 'failed') yield say('an error only with "failed"', `one with ${show(status)}`);
    else yield { frame };
    states.set(key, String(status));
  }
}
