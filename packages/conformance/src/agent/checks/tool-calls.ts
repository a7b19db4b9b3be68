import { isAbsolutePath } from '@parley/protocol';
import { asRequest, asUpdate, type Fields, fieldsOf, idOf, isResponse, keyOfId } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import { show } from '../../probe/answer.ts';
import { BOTH } from '../../versions/protocol.ts';
import type { Check } from '../agent-check.ts';
import { lint } from '../agent-lint.ts';
import type { Hearing } from '../run/agent-run.ts';

const group = 'tool calls';
const source = 'protocol/v1/tool-calls';
const unheard = 'The agent made no tool call. Provoke one with --prompt-for-tool-call.';

export const toolCalls: readonly Check[] = [
  lint({
    id: 'TOOL-01',
    level: 'SHOULD',
    group,
    source,
    rules: [98],
    says: 'A tool call is announced by "tool_call" before it is updated',
    unheard,
    *look(hearing) {
      const announced = new Set<string>();
      for (const { frame, kind, key } of toolUpdates(hearing)) {
        if (kind === 'tool_call') announced.add(key);
        const isKnown = announced.has(key);
        yield isKnown
          ? { frame }
          : { frame, problem: { expected: 'a tool_call first', got: 'a tool_call_update for an unknown id' } };
      }
    },
  }),
  lint({
    id: 'TOOL-02',
    level: 'SHOULD',
    group,
    source,
    rules: [98],
    says: 'Each tool call of a session has an id of its own',
    unheard,
    *look(hearing) {
      const announced = new Set<string>();
      for (const { frame, kind, key, isReplay } of toolUpdates(hearing)) {
        if (kind !== 'tool_call' || isReplay) continue;
        yield announced.has(key)
          ? { frame, problem: { expected: 'a new toolCallId', got: 'one that was announced before' } }
          : { frame };
        announced.add(key);
      }
    },
  }),
  lint({
    id: 'TOOL-03',
    level: 'MAY',
    group,
    source,
    rules: [101],
    says: 'The status of a tool call goes from pending to in_progress to completed or failed, and not back',
    unheard,
    *look(hearing) {
      const reached = new Map<string, number>();
      for (const { frame, kind, key, update, isReplay } of toolUpdates(hearing)) {
        if (isReplay) continue;
        const status = update.status ?? (kind === 'tool_call' ? 'pending' : undefined);
        const rank = STATUS_RANK[String(status)];
        if (rank === undefined) continue;
        const before = reached.get(key) ?? 0;
        const isForward = rank > before || (rank === before && rank < FINAL_RANK) || kind === 'tool_call';
        yield isForward
          ? { frame }
          : { frame, problem: { expected: 'a later status, or none', got: `${show(status)} after a later one` } };
        reached.set(key, rank);
      }
    },
  }),
  lint({
    id: 'TOOL-04',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'protocol/v1/overview',
    rules: [102],
    says: 'Paths in locations and diffs are absolute, and lines are counted from 1',
    unheard: 'No tool call named a path. Provoke one with --prompt-for-tool-call.',
    *look(hearing) {
      for (const { frame, update } of toolUpdates(hearing)) {
        for (const { path, line } of placesOf(update)) {
          if (typeof path !== 'string' || !isAbsolutePath(path))
            yield { frame, problem: { expected: 'an absolute path', got: show(path) } };
          else if (line === 0) yield { frame, problem: { expected: 'a line from 1', got: '0' } };
          else yield { frame };
        }
      }
    },
  }),
  lint({
    id: 'TOOL-05',
    level: 'MUST',
    group,
    source: 'schema, ToolCallContent',
    rules: [104],
    says: 'A terminal shown in a tool call was created with terminal/create and not yet released when it was first shown',
    unheard: 'No tool call showed a terminal. Provoke one with --prompt-for-terminal.',
    *look(hearing) {
      const live = new Set<unknown>();
      // Content is always sent as a whole, so a terminal that was shown in time may be sent again after its release.
      const shown = new Set<unknown>();
      const creating = new Set<string>();
      for (const frame of hearing.trace.frames) {
        const request = frame.from === 'agent' ? asRequest(frame) : undefined;
        if (request?.method === 'terminal/create') creating.add(keyOfId(request.id));
        if (request?.method === 'terminal/release') live.delete(fieldsOf(request.params).terminalId);
        if (frame.from === 'client' && isResponse(frame) && creating.delete(keyOfId(idOf(frame)))) {
          live.add(fieldsOf(fieldsOf(frame.value).result).terminalId);
        }
        const update = frame.from === 'agent' ? asUpdate(frame) : undefined;
        for (const item of listOf(update?.update.content)) {
          const { type, terminalId } = fieldsOf(item);
          if (type !== 'terminal') continue;
          if (live.has(terminalId)) shown.add(terminalId);
          yield shown.has(terminalId)
            ? { frame }
            : { frame, problem: { expected: 'a terminal that lives in the client', got: show(terminalId) } };
        }
      }
    },
  }),
  lint({
    id: 'TOOL-06',
    level: 'ROBUST',
    group,
    source,
    rules: [98],
    says: 'A tool call has a title that says something',
    unheard,
    *look(hearing) {
      for (const { frame, kind, update } of toolUpdates(hearing)) {
        if (kind !== 'tool_call') continue;
        const { title } = update;
        const isGood = typeof title === 'string' && title.trim() !== '';
        yield isGood ? { frame } : { frame, problem: { expected: 'a title', got: show(title) } };
      }
    },
  }),
];

const STATUS_RANK: Readonly<Record<string, number>> = { pending: 0, in_progress: 1, completed: 2, failed: 2 };
const FINAL_RANK = 2;

interface ToolUpdate {
  readonly frame: Frame;
  readonly kind: string;
  /** Session and tool call. */
  readonly key: string;
  readonly update: Fields;
  /** Whether it tells the past, while a session is being loaded. */
  readonly isReplay: boolean;
}

/** Everything told about tool calls on one wire. */
export function* toolUpdates({ trace }: Hearing): Iterable<ToolUpdate> {
  const loading = new Map<string, string>();
  for (const frame of trace.frames) {
    const request = frame.from === 'client' ? asRequest(frame) : undefined;
    if (request?.method === 'session/load')
      loading.set(keyOfId(request.id), String(fieldsOf(request.params).sessionId));
    if (frame.from !== 'agent') continue;
    if (isResponse(frame)) loading.delete(keyOfId(idOf(frame)));
    const update = asUpdate(frame);
    if (update?.kind !== 'tool_call' && update?.kind !== 'tool_call_update') continue;
    const key = `${String(update.sessionId)} ${String(update.update.toolCallId)}`;
    const isReplay = [...loading.values()].includes(String(update.sessionId));
    yield { frame, kind: update.kind, key, update: update.update, isReplay };
  }
}

function placesOf({ locations, content }: Fields): readonly Fields[] {
  const diffs = listOf(content)
    .map(fieldsOf)
    .filter(({ type }) => type === 'diff');
  return [...listOf(locations).map(fieldsOf), ...diffs.flatMap(filesOf)];
}

/** The files of a diff: one in version 1, any number of them in version 2, where a move names two. */
function filesOf(diff: Fields): readonly Fields[] {
  if (!('changes' in diff)) return [diff];
  return listOf(diff.changes).flatMap((change) => {
    const { path, oldPath } = fieldsOf(change);
    return oldPath === undefined ? [{ path }] : [{ path }, { path: oldPath }];
  });
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
