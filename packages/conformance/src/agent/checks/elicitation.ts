import { RpcError } from '@parley/jsonrpc';
import { checkParams } from '../../lints/schema.ts';
import { asRequest, fieldsOf } from '../../messages/message.ts';
import { requireResult, show } from '../../probe/answer.ts';
import { notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { wordsOf } from '../../versions/words.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import type { CheckContext } from '../run/check-context.ts';

const group = 'elicitation';
const source = 'protocol/v1/elicitation';
const unheard = 'The agent asked no question. Tell it to with --prompt-for-elicitation.';

export const elicitation: readonly Check[] = [
  lint({
    id: 'ASK-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [138, 38],
    says: 'A mode of elicitation that the client did not offer is never used',
    unheard: 'No turn was held with a client that offers no elicitation.',
    *look(hearing) {
      if (hearing.profile !== 'bare') return;
      for (const frame of fromAgent(hearing)) {
        if (wordsOf(hearing.protocol).isTurnEnd(frame)) yield { frame };
        const request = asRequest(frame);
        if (request?.method !== 'elicitation/create') continue;
        yield { frame, problem: { expected: 'no elicitation', got: `mode ${show(fieldsOf(request.params).mode)}` } };
      }
    },
  }),
  lint({
    id: 'ASK-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [138],
    says: 'An elicitation fits the schema',
    unheard,
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const request = asRequest(frame);
        if (request?.method !== 'elicitation/create') continue;
        const problem = checkParams(hearing.protocol, request.method, request.params);
        yield problem?.kind === 'invalid'
          ? { frame, problem: { expected: 'valid params', got: problem.message } }
          : { frame };
      }
    },
  }),
  lint({
    id: 'ASK-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [139],
    says: 'A form never asks for a secret',
    unheard,
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const request = asRequest(frame);
        const { mode, requestedSchema } = fieldsOf(request?.params);
        if (request?.method !== 'elicitation/create' || mode !== 'form') continue;
        const secret = Object.keys(fieldsOf(fieldsOf(requestedSchema).properties)).find((name) => SECRET.test(name));
        yield secret === undefined
          ? { frame }
          : { frame, problem: { expected: 'no secrets in a form', got: `a field ${show(secret)}` } };
      }
    },
  }),
  check({
    id: 'ASK-04',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [142],
    says: 'A question that is declined does not stop the turn from being answered',
    run: (context) => answerQuestion(context, () => ({ action: 'decline' })),
  }),
  check({
    id: 'ASK-05',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [142],
    says: 'A question that is cancelled does not stop the turn from being answered',
    run: (context) => answerQuestion(context, () => ({ action: 'cancel' })),
  }),
  check({
    id: 'ASK-06',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [142],
    says: 'A question that is accepted without content does not stop the turn from being answered',
    run: (context) => answerQuestion(context, () => ({ action: 'accept', content: null })),
  }),
  check({
    id: 'ASK-07',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source,
    rules: [142],
    says: 'A question that fails does not stop the turn from being answered',
    run: (context) =>
      answerQuestion(context, () => {
        throw RpcError.internalError('The client could not ask.');
      }),
  }),
];

/** Names of fields that hold secrets in practice. */
const SECRET = /pass(word|phrase)|secret|api_?key|token|credential|private_?key/i;

async function answerQuestion(context: CheckContext, responder: () => unknown): Promise<void> {
  const { requireTurns, newSession, prompts } = context;
  if (prompts.elicitation === undefined) notProvoked(unheard);
  await requireTurns();
  const session = await newSession();
  const prompt = prompts.elicitation;
  let wasAsked = false;
  const answer = (): unknown => {
    wasAsked = true;
    return responder();
  };
  const turn = await session.probe.respondDuring('elicitation/create', answer, () => session.prompt(prompt));
  if (!wasAsked) notProvoked(unheard);
  requireResult(turn.answer, 'session/prompt');
}
