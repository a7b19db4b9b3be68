import { asNotification, fieldsOf, idOf, isResponse } from '../../messages/message.ts';
import { show } from '../../probe/answer.ts';
import { expect, notApplicable, notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type ClientCheck, clientCheck } from '../client-check.ts';
import {
  answerTo,
  type ClientRun,
  explainSilence,
  requireErrorCode,
  resultOf,
  sentByClient,
} from '../run/client-run.ts';

const OFFERED = ['parley-yes', 'parley-always', 'parley-no'];

/** Updates, permissions, cancellation and robustness. */
export const turns: readonly ClientCheck[] = [
  clientCheck({
    id: 'CUPDATE-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'updates',
    source: 'protocol/v1/extensibility; schema, x-deserialize-default-on-error',
    rules: [14, 23, 24],
    says: 'Updates and notifications that are unknown, malformed or for others do no harm',
    scenario: 'odd-updates',
    judge: (run) => void answerTo(run, 'after-odd-updates'),
  }),
  clientCheck({
    id: 'CUPDATE-02',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'updates',
    source: 'real agents send lines of 560 KB',
    rules: [2],
    says: 'Five thousand updates and a line of 1 MiB are taken in',
    scenario: 'flood',
    judge: (run) => void answerTo(run, 'after-flood'),
  }),
  clientCheck({
    id: 'CPERM-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'permissions',
    source: 'protocol/v1/tool-calls',
    rules: [107],
    says: 'A permission request is answered with one of the options offered, or with "cancelled"',
    scenario: 'permission',
    judge(run) {
      requireTurn(run);
      // Nobody can say how long a person may think.
      if (!sentByClient(run).some((frame) => idOf(frame) === 'permission')) notProvoked(WAITING);
      const { outcome, optionId } = fieldsOf(resultOf(run, 'permission').outcome);
      const isGood = outcome === 'cancelled' || (outcome === 'selected' && OFFERED.includes(String(optionId)));
      expect(isGood, `one of ${OFFERED.join(', ')}, or cancelled`, show({ outcome, optionId }));
    },
  }),
  clientCheck({
    id: 'CPERM-02',
    protocols: BOTH,
    level: 'MUST',
    group: 'permissions',
    source: 'official SDK',
    rules: [16],
    says: 'A permission request that does not fit the schema is answered with error -32602',
    scenario: 'permission',
    judge: (run) => requireErrorCode(run, 'bad-permission', [-32602]),
  }),
  clientCheck({
    id: 'CCANCEL-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'cancellation',
    source: 'protocol/v1/prompt-turn',
    rules: [81],
    says: 'A permission request that is open when the turn is cancelled is answered "cancelled"',
    scenario: 'cancel-permission',
    judge(run) {
      const cancel = requireCancel(run);
      const answer = answerTo(run, 'held-permission');
      if (answer.number < cancel)
        notProvoked('The client answered the permission request before it could be cancelled.');
      const { outcome } = fieldsOf(fieldsOf(fieldsOf(answer.value).result).outcome);
      expect(outcome === 'cancelled', 'outcome "cancelled"', answer.text);
    },
  }),
  clientCheck({
    id: 'CCANCEL-02',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'cancellation',
    source: 'protocol/v1/prompt-turn',
    rules: [81],
    says: 'A permission request that crosses the cancel is answered "cancelled"',
    scenario: 'cancel-turn',
    judge(run) {
      requireCancel(run);
      const { outcome } = fieldsOf(resultOf(run, 'late-permission').outcome);
      expect(outcome === 'cancelled', 'outcome "cancelled"', show(outcome));
    },
  }),
  clientCheck({
    id: 'CCANCEL-03',
    protocols: BOTH,
    level: 'SHOULD',
    group: 'cancellation',
    source: 'protocol/v1/prompt-turn',
    rules: [82],
    says: 'The client stays for the answer to a cancelled prompt, and takes late updates',
    scenario: 'cancel-turn',
    judge(run) {
      requireCancel(run);
      expect(run.marks.includes('done'), 'a client that waits for the answer', run.exit?.how ?? 'one that does not');
    },
  }),
  clientCheck({
    id: 'CCANCEL-04',
    protocols: BOTH,
    level: 'MUST',
    group: 'cancellation',
    source: 'protocol/v1/cancellation',
    rules: [143],
    says: 'A request that the agent cancels with $/cancel_request still gets exactly one response',
    scenario: 'cancel-request',
    judge(run) {
      answerTo(run, 'to-cancel');
      const count = sentByClient(run).filter((frame) => isResponse(frame) && idOf(frame) === 'to-cancel').length;
      expect(count === 1, 'one response', `${count}`);
    },
  }),
  clientCheck({
    id: 'CCANCEL-05',
    protocols: BOTH,
    level: 'MAY',
    group: 'cancellation',
    source: 'rfds/request-cancellation',
    rules: [144],
    says: '$/cancel_request for a request that is unknown or over is ignored',
    scenario: 'cancel-request',
    judge: (run) => void answerTo(run, 'after-cancel'),
  }),
  clientCheck({
    id: 'CROBUST-01',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'robustness',
    source: 'agents and the tools they start print to stdout',
    rules: [3],
    says: 'Noise on the agent’s stdout does not end the connection',
    scenario: 'noise',
    judge: (run) => void answerTo(run, 'after-noise'),
  }),
  clientCheck({
    id: 'CROBUST-02',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'robustness',
    source: 'rule 21: a closed stream rejects everything that is pending',
    rules: [21],
    says: 'An agent that dies in the middle of a turn is noticed, and told by the exit code',
    scenario: 'death',
    judge(run) {
      requireTurn(run);
      if (!run.exit) notApplicable('The client does not end by itself.');
      expect(run.exit.code !== 0, 'an exit code other than 0', '0');
    },
  }),
  clientCheck({
    id: 'CROBUST-03',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'robustness',
    source: 'users find dozens of orphaned agents',
    rules: [21],
    says: 'No agent outlives the client that started it',
    scenario: 'plain',
    judge(run) {
      requireTurn(run);
      if (!run.exit) notApplicable('The client does not end by itself.');
      expect(!run.isAgentOrphaned, 'an agent that ends with it', 'one that goes on');
    },
  }),
];

const WAITING = 'The client did not answer in time; it may be waiting for a person. Answer for them with --input.';

function requireTurn(run: ClientRun): void {
  if (!run.marks.includes('turn')) notProvoked(explainSilence(run));
}

/** The number of the frame that cancelled the turn. */
function requireCancel(run: ClientRun): number {
  requireTurn(run);
  const cancel = sentByClient(run).find((frame) => asNotification(frame)?.method === 'session/cancel');
  return cancel?.number ?? notProvoked('The client did not cancel the turn when it was interrupted with SIGINT.');
}
