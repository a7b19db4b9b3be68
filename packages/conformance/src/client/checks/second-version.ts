import { isRecord } from '@parley/jsonrpc/internal';
import { asNotification, asRequest, asUpdate, fieldsOf, idOf } from '../../messages/message.ts';
import { show } from '../../probe/answer.ts';
import { expect, notProvoked } from '../../verdict.ts';
import { SECOND } from '../../versions/protocol.ts';
import { type ClientCheck, clientCheck, clientLint } from '../client-check.ts';
import { answerTo, type ClientRun, explainSilence, requestsOf, resultOf, sentByClient } from '../run/client-run.ts';

const OFFERED = ['parley-yes', 'parley-always', 'parley-no'];

/** Rules that came with version 2. */
export const secondVersion: readonly ClientCheck[] = [
  clientLint({
    id: 'CRPC-10',
    protocols: SECOND,
    level: 'MUST',
    group: 'json-rpc',
    source: 'schema, RequestId',
    rules: [19],
    says: 'The id of a request is a string or a whole number',
    unheard: 'The client sent no request.',
    *look(run) {
      for (const frame of sentByClient(run)) {
        if (!asRequest(frame)) continue;
        const id = idOf(frame);
        const isGood = typeof id === 'string' || Number.isInteger(id);
        yield isGood ? { frame } : { frame, problem: { expected: 'a string or a whole number', got: show(id) } };
      }
    },
  }),
  clientLint({
    id: 'CINIT-06',
    protocols: SECOND,
    level: 'MUST',
    group: 'initialization',
    source: 'protocol/v2/initialization',
    rules: [35, 39],
    says: 'The client tells its name and version in info',
    unheard: 'The client did not initialize.',
    *look(run) {
      for (const frame of requestsOf(run, 'initialize')) {
        const { info } = fieldsOf(asRequest(frame)?.params);
        const { name, version } = fieldsOf(info);
        const isGood = typeof name === 'string' && typeof version === 'string';
        yield isGood ? { frame } : { frame, problem: { expected: 'info with name and version', got: show(info) } };
      }
    },
  }),
  clientCheck({
    id: 'CAUTH-04',
    protocols: SECOND,
    level: 'MUST',
    group: 'authentication',
    source: 'protocol/v2/authentication',
    rules: [47],
    says: 'auth/login and auth/logout are never called where no method is offered',
    scenario: 'closed-door',
    judge(run) {
      if (requestsOf(run, 'session/new').length === 0) notProvoked(explainSilence(run));
      const call = ['auth/login', 'auth/logout'].flatMap((method) => requestsOf(run, method))[0];
      expect(call === undefined, 'neither', call?.text ?? '');
    },
  }),
  clientLint({
    id: 'CSESS-07',
    protocols: SECOND,
    level: 'MUST',
    group: 'sessions',
    source: 'protocol/v2/initialization',
    rules: [33, 65],
    says: 'A method that the agent did not advertise is never called',
    unheard: 'The client sent nothing.',
    *look(run) {
      for (const frame of sentByClient(run)) {
        const method = asRequest(frame)?.method ?? asNotification(frame)?.method;
        if (method === undefined) continue;
        // Every agent of a scenario offers sessions and nothing beyond.
        const isOffered = !GATED.includes(method);
        yield isOffered ? { frame } : { frame, problem: { expected: `no ${method}`, got: 'one' } };
      }
    },
  }),
  clientLint({
    id: 'CPROMPT-03',
    protocols: SECOND,
    level: 'MUST',
    group: 'prompt turn',
    source: 'schema, PromptRequest',
    rules: [97],
    says: 'A prompt is never empty',
    unheard: 'The client sent no prompt.',
    *look(run) {
      for (const frame of requestsOf(run, 'session/prompt')) {
        const { prompt } = fieldsOf(asRequest(frame)?.params);
        const isGood = Array.isArray(prompt) && prompt.length > 0;
        yield isGood ? { frame } : { frame, problem: { expected: 'at least one block', got: show(prompt) } };
      }
    },
  }),
  clientCheck({
    id: 'CSTATE-01',
    protocols: SECOND,
    level: 'MUST',
    group: 'prompt turn',
    source: 'schema, StateUpdate',
    rules: [93],
    says: 'A snapshot that repeats the idle state is not taken for the end of a turn',
    scenario: 'repeated-idle',
    judge(run) {
      requireTurn(run);
      expect(run.marks.includes('done'), 'a client that stays for its turn', run.exit?.how ?? 'one that left');
    },
  }),
  clientCheck({
    id: 'CSTATE-02',
    protocols: SECOND,
    level: 'MUST',
    group: 'prompt turn',
    source: 'protocol/v2/prompt-lifecycle',
    rules: [90],
    says: 'The answer to a prompt is not taken for the end of its turn',
    scenario: 'slow-turn',
    judge(run) {
      requireTurn(run);
      const got = run.exit?.how ?? 'one that left';
      expect(run.marks.includes('done'), 'a client that stays until the session is idle', got);
    },
  }),
  clientCheck({
    id: 'CUPDATE-03',
    protocols: SECOND,
    level: 'MUST',
    group: 'updates',
    source: 'protocol/v2/prompt-lifecycle; protocol/v2/tool-calls',
    rules: [94, 111, 113, 116],
    says: 'Messages told whole, pieces of tool calls, diffs without a patch and unknown variants do no harm',
    scenario: 'upserts',
    judge: (run) => void answerTo(run, 'after-upserts'),
  }),
  clientCheck({
    id: 'CUPDATE-04',
    protocols: SECOND,
    level: 'MUST',
    group: 'updates',
    source: 'protocol/v2/tool-calls',
    rules: [112],
    says: 'The output of a terminal is taken in whatever its pieces cut in two',
    scenario: 'terminal-output',
    judge: (run) => void answerTo(run, 'after-terminal-output'),
  }),
  clientCheck({
    id: 'CPERM-03',
    protocols: SECOND,
    level: 'MUST',
    group: 'permissions',
    source: 'protocol/v2/tool-calls',
    rules: [107, 110],
    says: 'A permission is answered whatever it is about: a command, nothing, or something unknown',
    scenario: 'subjects',
    judge(run) {
      requireTurn(run);
      for (const id of ['without-subject', 'command-subject', 'odd-subject']) {
        // Nobody can say how long a person may think.
        if (!sentByClient(run).some((frame) => idOf(frame) === id)) notProvoked(WAITING);
        const { outcome, optionId } = fieldsOf(resultOf(run, id).outcome);
        const isGood = outcome === 'cancelled' || (outcome === 'selected' && OFFERED.includes(String(optionId)));
        expect(isGood, `one of ${OFFERED.join(', ')}, or cancelled`, show({ outcome, optionId }));
      }
    },
  }),
  clientLint({
    id: 'CTOOL-01',
    protocols: SECOND,
    level: 'MUST',
    group: 'tool calls',
    source: 'schema, CancelToolCallRequest',
    rules: [114],
    says: 'tool_call/cancel and terminal/cancel are sent only while they are advertised',
    unheard: 'The client sent nothing.',
    *look(run) {
      const advertised = new Set<string>();
      for (const frame of run.frames) {
        const update = frame.from === 'agent' ? asUpdate(frame)?.update : undefined;
        if (update && 'capabilities' in update) {
          const key = keyOf(update);
          if (isRecord(fieldsOf(update.capabilities).cancel)) advertised.add(key);
          else advertised.delete(key);
        }
        const request = frame.from === 'client' ? asRequest(frame) : undefined;
        if (!request) continue;
        const isCancel = request.method === 'tool_call/cancel' || request.method === 'terminal/cancel';
        const isBad = isCancel && !advertised.has(keyOf(fieldsOf(request.params)));
        yield isBad
          ? { frame, problem: { expected: 'none, since it was not advertised', got: request.method } }
          : { frame };
      }
    },
  }),
];

const WAITING = 'The client did not answer in time; it may be waiting for a person. Answer for them with --input.';

/** Methods that need more than `capabilities.session`. */
const GATED = [
  'session/delete',
  'session/fork',
  'session/archive',
  'session/unarchive',
  'session/status',
  'session/set_title',
  'providers/list',
  'providers/set',
  'providers/disable',
  'auth/status',
  'mcp/message',
];

function keyOf({ toolCallId, terminalId }: Readonly<Record<string, unknown>>): string {
  return toolCallId === undefined ? `terminal ${String(terminalId)}` : `tool call ${String(toolCallId)}`;
}

function requireTurn(run: ClientRun): void {
  if (!run.marks.includes('turn')) notProvoked(explainSilence(run));
}
