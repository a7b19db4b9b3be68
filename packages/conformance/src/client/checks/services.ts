import { canElicit, canReadTextFile, canUseTerminals, canWriteTextFile } from '@parley/protocol';
import { asNotification, errorOf, fieldsOf } from '../../messages/message.ts';
import { show } from '../../probe/answer.ts';
import { expect, notApplicable, notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type ClientCheck, clientCheck, type ScenarioCheck } from '../client-check.ts';
import {
  answerTo,
  type ClientRun,
  capabilitiesOf,
  explainSilence,
  requireErrorCode,
  resultOf,
} from '../run/client-run.ts';
import { SCRATCH_TEXT } from '../scenarios/services.ts';

const filesSource = 'protocol/v1/file-system';
const terminalsSource = 'protocol/v1/terminals';
const elicitationSource = 'protocol/v1/elicitation';

/** Files, terminals and questions. */
export const services: readonly ClientCheck[] = [
  fileCheck({
    id: 'CFILE-01',
    level: 'MUST',
    rules: [128],
    says: 'fs/read_text_file gives the content of a file',
    judge(run) {
      requireReading(run);
      const { content } = resultOf(run, 'read');
      expect(content === SCRATCH_TEXT, show(SCRATCH_TEXT), show(content));
    },
  }),
  fileCheck({
    id: 'CFILE-02',
    level: 'MUST',
    rules: [128],
    says: 'fs/read_text_file gives `limit` lines from `line`, counted from 1',
    judge(run) {
      requireReading(run);
      const { content } = resultOf(run, 'read-lines');
      expect(String(content).trimEnd() === 'two\nthree', '"two\\nthree"', show(content));
    },
  }),
  fileCheck({
    id: 'CFILE-03',
    level: 'ROBUST',
    rules: [128],
    says: 'fs/read_text_file of a file that does not exist is refused with -32002',
    judge(run) {
      requireReading(run);
      requireErrorCode(run, 'read-missing', [-32002]);
    },
  }),
  fileCheck({
    id: 'CFILE-04',
    level: 'ROBUST',
    rules: [129],
    says: 'A relative path is refused',
    judge(run) {
      requireReading(run);
      requireErrorCode(run, 'read-relative');
    },
  }),
  fileCheck({
    id: 'CFILE-05',
    level: 'MUST',
    rules: [129],
    says: 'fs/write_text_file writes what it was given',
    judge(run) {
      if (!canWriteTextFile(capabilitiesOf(run))) notApplicable('The client does not offer to write files.');
      if (errorOf(answerTo(run, 'write'))) notProvoked('The client refused to write, as its permissions may want.');
      const report = run.frames.find((frame) => asNotification(frame)?.method === '_parley/on_disk');
      const { content } = fieldsOf(fieldsOf(report?.value).params);
      expect(content === 'five\n', '"five\\n" in the file', show(content));
    },
  }),
  fileCheck({
    id: 'CFILE-06',
    level: 'ROBUST',
    rules: [127],
    says: 'fs/* is refused where it was not offered',
    judge(run) {
      requirePrompt(run);
      const client = capabilitiesOf(run);
      if (canReadTextFile(client) && canWriteTextFile(client)) notApplicable('The client offers files.');
      if (!canReadTextFile(client)) requireErrorCode(run, 'read');
      if (!canWriteTextFile(client)) requireErrorCode(run, 'write');
    },
  }),
  terminalCheck({
    id: 'CTERM-01',
    level: 'MAY',
    rules: [131, 133],
    says: 'terminal/create answers before the command has ended, and its output then has no exit status',
    judge(run) {
      const { exitStatus } = requireTerminal(run, 'output-running');
      expect(exitStatus === undefined || exitStatus === null, 'no exitStatus while the command runs', show(exitStatus));
    },
  }),
  terminalCheck({
    id: 'CTERM-02',
    level: 'MAY',
    rules: [133],
    says: 'terminal/output has the exit status and the output once the command has ended',
    judge(run) {
      const { exitStatus, output } = requireTerminal(run, 'output-exited');
      expect(fieldsOf(exitStatus).exitCode === 3, 'exitCode 3', show(exitStatus));
      expect(String(output).includes('begun'), 'output with "begun"', show(output));
    },
  }),
  terminalCheck({
    id: 'CTERM-03',
    level: 'MAY',
    rules: [134],
    says: 'terminal/wait_for_exit answers everyone who waits',
    judge(run) {
      for (const id of ['wait-1', 'wait-2']) {
        const { exitCode } = requireTerminal(run, id);
        expect(exitCode === 3, 'exitCode 3', show(exitCode));
      }
    },
  }),
  terminalCheck({
    id: 'CTERM-04',
    level: 'MAY',
    rules: [135],
    says: 'A killed terminal can still be waited for and read',
    judge(run) {
      requireTerminal(run, 'wait-killed');
      requireTerminal(run, 'output-killed');
    },
  }),
  terminalCheck({
    id: 'CTERM-05',
    level: 'MUST',
    rules: [137],
    says: 'A released terminal is gone',
    judge(run) {
      requireTerminal(run, 'release');
      requireErrorCode(run, 'output-released');
    },
  }),
  terminalCheck({
    id: 'CTERM-06',
    level: 'MUST',
    rules: [132],
    says: 'outputByteLimit cuts the output at its beginning, between characters',
    judge(run) {
      const { output, truncated } = requireTerminal(run, 'output-wide');
      expect(truncated === true, 'truncated: true', show(truncated));
      const isGood = /^€+$/.test(String(output)) && Buffer.byteLength(String(output)) <= 10;
      expect(isGood, 'at most 10 bytes of whole characters', show(output));
    },
  }),
  terminalCheck({
    id: 'CTERM-07',
    level: 'ROBUST',
    rules: [127],
    says: 'terminal/* is refused where it was not offered',
    judge(run) {
      requirePrompt(run);
      if (canUseTerminals(capabilitiesOf(run))) notApplicable('The client offers terminals.');
      requireErrorCode(run, 'create');
    },
  }),
  clientCheck({
    id: 'CASK-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'elicitation',
    source: elicitationSource,
    rules: [138, 38],
    says: 'A mode of elicitation that was not offered is refused',
    scenario: 'elicitation',
    judge(run) {
      requirePrompt(run);
      const client = capabilitiesOf(run);
      if (canElicit(client, 'form') && canElicit(client, 'url')) notApplicable('The client offers both modes.');
      if (!canElicit(client, 'form')) requireErrorCode(run, 'form');
      if (!canElicit(client, 'url')) requireErrorCode(run, 'url');
    },
  }),
  clientCheck({
    id: 'CASK-02',
    protocols: BOTH,
    level: 'MUST',
    group: 'elicitation',
    source: elicitationSource,
    rules: [138, 142],
    says: 'A question in a mode that was offered is answered with an action',
    scenario: 'elicitation',
    judge(run) {
      requirePrompt(run);
      const client = capabilitiesOf(run);
      const modes = (['form', 'url'] as const).filter((mode) => canElicit(client, mode));
      if (modes.length === 0) notApplicable('The client offers no elicitation.');
      for (const mode of modes) {
        const { action } = resultOf(run, mode);
        expect(['accept', 'decline', 'cancel'].includes(String(action)), 'accept, decline or cancel', show(action));
      }
    },
  }),
  clientCheck({
    id: 'CASK-03',
    protocols: BOTH,
    level: 'MUST',
    group: 'elicitation',
    source: elicitationSource,
    rules: [141],
    says: 'elicitation/complete for a question that is unknown is ignored',
    scenario: 'elicitation',
    judge: (run) => void answerTo(run, 'after-elicitation'),
  }),
];

type ServiceCheck = Pick<ScenarioCheck, 'id' | 'level' | 'rules' | 'says' | 'judge'>;

function fileCheck(facts: ServiceCheck): ClientCheck {
  return clientCheck({ ...facts, group: 'files', source: filesSource, scenario: 'files' });
}

function terminalCheck(facts: ServiceCheck): ClientCheck {
  return clientCheck({ ...facts, group: 'terminals', source: terminalsSource, scenario: 'terminals' });
}

function requirePrompt(run: ClientRun): void {
  if (!run.marks.includes('turn')) notProvoked(explainSilence(run));
}

function requireReading(run: ClientRun): void {
  requirePrompt(run);
  if (!canReadTextFile(capabilitiesOf(run))) notApplicable('The client does not offer to read files.');
}

/** The result about a terminal; a client may have reasons not to run our command at all. */
function requireTerminal(run: ClientRun, id: string): Readonly<Record<string, unknown>> {
  requirePrompt(run);
  if (!canUseTerminals(capabilitiesOf(run))) notApplicable('The client does not offer terminals.');
  if (errorOf(answerTo(run, 'create')))
    notProvoked('The client refused to run a command, as its permissions may want.');
  return resultOf(run, id);
}
