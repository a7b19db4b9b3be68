import { isRecord } from '@parley/jsonrpc/internal';
import { isAbsolutePath } from '@parley/protocol';
import type { Finding } from '../../../lints/finding.ts';
import { changedPaths } from '../../../lints/git-patch.ts';
import { asRequest, asUpdate, type Fields, fieldsOf } from '../../../messages/message.ts';
import { requireAnswer, requireError, show } from '../../../probe/answer.ts';
import { expect, notProvoked } from '../../../verdict.ts';
import { SECOND } from '../../../versions/protocol.ts';
import { type Check, check } from '../../agent-check.ts';
import { fromAgent, lint } from '../../agent-lint.ts';
import type { Hearing } from '../../run/agent-run.ts';
import { askForPermission } from '../../run/ask-permission.ts';
import { listOf, toolUpdates } from '../tool-calls.ts';

const toolCalls = 'protocol/v2/tool-calls';

/** What an agent of version 2 tells and asks. */
export const told: readonly Check[] = [
  lint({
    id: 'UPDATE-12',
    protocols: SECOND,
    level: 'MUST',
    group: 'updates',
    source: 'schema, ContentChunk',
    rules: [95],
    says: 'Every message, thought and chunk of one has a messageId',
    unheard: 'The agent told no message.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const update = asUpdate(frame);
        if (!update || !/^(user|agent)_(message|thought)(_chunk)?$/.test(update.kind)) continue;
        const { messageId } = update.update;
        const isGood = typeof messageId === 'string' && messageId !== '';
        yield isGood ? { frame } : { frame, problem: { expected: 'a messageId', got: show(messageId) } };
      }
    },
  }),
  lint({
    id: 'UPDATE-13',
    protocols: SECOND,
    level: 'MUST',
    group: 'updates',
    source: 'protocol/v2/prompt-lifecycle',
    rules: [94, 95],
    says: 'One messageId stands for one message: of the user, of the agent, or a thought',
    unheard: 'The agent told no message.',
    *look(hearing) {
      const senders = new Map<string, string>();
      for (const frame of fromAgent(hearing)) {
        const update = asUpdate(frame);
        const sender = update && /^((user|agent)_(message|thought))(_chunk)?$/.exec(update.kind)?.[1];
        if (!update || sender === undefined) continue;
        const key = `${String(update.sessionId)} ${String(update.update.messageId)}`;
        const known = senders.get(key) ?? sender;
        senders.set(key, known);
        const got = `${sender} with the id of a ${known}`;
        yield known === sender ? { frame } : { frame, problem: { expected: 'an id of its own', got } };
      }
    },
  }),
  lint({
    id: 'UPDATE-14',
    protocols: SECOND,
    level: 'MUST',
    group: 'updates',
    source: 'protocol/v2/agent-plan',
    rules: [116],
    says: 'A plan has an id, and complete entries where it has entries',
    unheard: 'The agent told no plan.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const update = asUpdate(frame);
        if (update?.kind !== 'plan_update') continue;
        const { type, planId, entries } = fieldsOf(update.update.plan);
        const bad = listOf(entries).find((entry) => typeof fieldsOf(entry).content !== 'string');
        const isGood = typeof planId === 'string' && planId !== '' && bad === undefined;
        const isList = type !== 'items' || Array.isArray(entries);
        yield isGood && isList
          ? { frame }
          : { frame, problem: { expected: 'a planId and complete entries', got: show(bad ?? update.update.plan) } };
      }
    },
  }),
  lint({
    id: 'UPDATE-15',
    protocols: SECOND,
    level: 'MUST',
    group: 'updates',
    source: toolCalls,
    rules: [112],
    says: 'Every piece of a terminal’s output is base64 by itself',
    unheard: 'The agent told no output of a terminal. Provoke it with --prompt-for-terminal.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const update = asUpdate(frame);
        const { data, output } = update?.update ?? {};
        const text = update?.kind === 'terminal_output_chunk' ? data : fieldsOf(output).data;
        if (!update?.kind.startsWith('terminal_') || text === undefined) continue;
        yield isBase64(text) ? { frame } : { frame, problem: { expected: 'base64', got: show(text) } };
      }
    },
  }),
  lint({
    id: 'TOOL-07',
    protocols: SECOND,
    level: 'MUST',
    group: 'tool calls',
    source: toolCalls,
    rules: [113],
    says: 'The patch of a diff speaks of no file but those in its changes',
    unheard: 'No tool call showed a diff with a patch. Provoke one with --prompt-for-tool-call.',
    look: findStrayPatches,
  }),
  check({
    id: 'TOOL-08',
    protocols: SECOND,
    level: 'MUST',
    group: 'tool calls',
    source: 'schema, CancelToolCallRequest',
    rules: [114],
    says: 'tool_call/cancel of a call that does not exist is refused with -32602',
    async run({ hearings, newSession }) {
      const isOffered = (await hearings()).some(offersCancel);
      const { probe, id: sessionId } = await newSession();
      // An agent without a call that can be cancelled may not know the method.
      const codes = isOffered ? [-32602] : [-32602, -32601];
      requireError(await probe.request('tool_call/cancel', { sessionId, toolCallId: 'parley-no-such-call' }), codes);
    },
  }),
  check({
    id: 'TOOL-09',
    protocols: SECOND,
    level: 'MUST',
    group: 'tool calls',
    source: 'schema, CancelToolCallRequest',
    rules: [114],
    says: 'tool_call/cancel of a call that is over is refused with -32602',
    async run({ requireTurns, newSession, prompts, hearings }) {
      await requireTurns();
      const isOffered = (await hearings()).some(offersCancel);
      const session = await newSession();
      const { updates } = await session.prompt(prompts.toolCall);
      const over = updates.findLast(({ status }) => FINAL.includes(String(status)));
      if (!over) notProvoked('The agent made no tool call. Provoke one with --prompt-for-tool-call.');
      const params = { sessionId: session.id, toolCallId: over.toolCallId };
      const codes = isOffered ? [-32602] : [-32602, -32601];
      requireError(await session.probe.request('tool_call/cancel', params), codes);
    },
  }),
  check({
    id: 'PERM-09',
    protocols: SECOND,
    level: 'MUST',
    group: 'permissions',
    source: toolCalls,
    rules: [109],
    says: 'An outcome that the agent does not know is no approval',
    async run(context) {
      const { effects, answer } = await askForPermission(context, () => ({
        outcome: { outcome: '_parley_perhaps', optionId: 'allow' },
      }));
      requireAnswer(answer);
      expect(effects.length === 0, 'nothing done', effects[0] ?? '');
    },
  }),
  lint({
    id: 'PERM-10',
    protocols: SECOND,
    level: 'MUST',
    group: 'permissions',
    source: toolCalls,
    rules: [110],
    says: 'A permission request has a title and options, and names the folder of a command in full',
    unheard: 'The agent asked for no permission. Tell it to with --prompt-for-permission.',
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const request = asRequest(frame);
        if (request?.method !== 'session/request_permission') continue;
        const got = faultOf(fieldsOf(request.params));
        yield got === undefined ? { frame } : { frame, problem: { expected: 'a complete question', got } };
      }
    },
  }),
];

const FINAL = ['completed', 'failed', 'cancelled'];

function isBase64(text: unknown): boolean {
  return typeof text === 'string' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function faultOf({ title, options, subject }: Fields): string | undefined {
  if (typeof title !== 'string' || title.trim() === '') return `title ${show(title)}`;
  if (listOf(options).length === 0) return 'no options';
  const { type, cwd } = fieldsOf(subject);
  const isRelative = type === 'command' && (typeof cwd !== 'string' || !isAbsolutePath(cwd));
  return isRelative ? `a command in ${show(cwd)}` : undefined;
}

function offersCancel(hearing: Hearing): boolean {
  return [...toolUpdates(hearing)].some(({ update }) => isRecord(fieldsOf(update.capabilities).cancel));
}

function* findStrayPatches(hearing: Hearing): Iterable<Finding> {
  for (const frame of fromAgent(hearing)) {
    const update = asUpdate(frame);
    const content = update?.update.content;
    for (const item of Array.isArray(content) ? content : [content]) {
      const { type, changes, patch } = fieldsOf(item);
      const { format, text } = fieldsOf(patch);
      if (type !== 'diff' || format !== 'git_patch' || typeof text !== 'string') continue;
      const known = listOf(changes).flatMap((change) => {
        const { path, oldPath } = fieldsOf(change);
        return [path, oldPath].filter((file) => typeof file === 'string');
      });
      const stray = changedPaths(text).find((path) => !known.some((file) => isSameFile(file, path)));
      const problem = { expected: `only ${show(known)}`, got: `a patch of ${show(stray)}` };
      yield stray === undefined ? { frame } : { frame, problem };
    }
  }
}

/** A patch names files as git does: from some root, or in full without the first slash. */
function isSameFile(file: string, path: string): boolean {
  const plain = file.replaceAll('\\', '/');
  return plain === path || plain.endsWith(`/${path.replace(/^\/+/, '')}`);
}
