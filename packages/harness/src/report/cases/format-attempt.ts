import type { AttemptRow } from '../../compare/runs/attempt-row.ts';
import type { Result } from '../../compare/runs/read-results.ts';
import { count, duration, money } from '../../compare/wording.ts';
import type { CaptureResult, TrialEntry } from '../../formats/index.ts';
import { type Markup, markup } from '../page/markup.ts';
import { asText, textBlock } from './cut.ts';
import { formatWorkspace } from './patch.ts';
import { formatSteps, timeStrip } from './steps.ts';

/** The body of one attempt: what the grader said, what the agent did, what is left of it. */
export function formatAttempts(result: Result): ReadonlyMap<number, Markup> {
  if (result.kind === 'captures') {
    const { score, timing } = result.value;
    return new Map([[1, formatBody({ ...result.value, reasoning: score?.reasoning, totalMs: timing.total })]]);
  }
  return new Map(
    result.value.trials.map((trial) => [trial.trialNum, formatBody({ ...trial, totalMs: trial.duration })]),
  );
}

type Body = Pick<CaptureResult, 'output' | 'trajectory' | 'outcome'> &
  Pick<TrialEntry, 'errors' | 'graderError' | 'permissions' | 'protocol' | 'workspace' | 'stopReason' | 'sessionId'> & {
    readonly reasoning?: string | undefined;
    readonly totalMs: number;
  };

function formatBody(body: Body): Markup {
  const { output, trajectory, outcome, errors = [], graderError, reasoning, protocol, workspace, totalMs } = body;
  const { stopReason, sessionId, permissions = [] } = body;
  const denied = permissions.filter((permission) => permission.outcome === 'rejected');
  const last = trajectory.at(-1);
  const isSaidAlready = last?.type === 'message' && last.content.trim() === output.trim();
  const problems = protocol?.problems ?? [];
  return markup`${errors.map((error) => markup`<p class="problem"><b>error</b> ${error}</p>`)}${graderError !== undefined && markup`<p class="problem"><b>grader failed</b> ${graderError}</p>`}${denied.map(({ title, kind, because }) => markup`<p class="problem"><b>permission denied</b> ${title ?? kind ?? ''}${because !== undefined && ` (${because})`}</p>`)}${reasoning !== undefined && reasoning !== '' && markup`<p class="reason"><b>grader</b> ${reasoning}</p>`}
${timeStrip(trajectory, totalMs)}${formatSteps(trajectory)}
${output.trim() !== '' && !isSaidAlready && markup`<h5>Output</h5>${textBlock(output, 'text output')}`}${
  outcome !== undefined && markup`<h5>Outcome</h5>${textBlock(asText(outcome), 'code')}`
}${problems.length > 0 && markup`<h5>Against the protocol</h5><ul>${problems.map((problem) => markup`<li>${problem}</li>`)}</ul>`}${workspace !== undefined && formatWorkspace(workspace)}${(stopReason !== undefined || sessionId !== undefined) && markup`<p class="dim">${stopReason !== undefined && `stop reason ${stopReason}`}${stopReason !== undefined && sessionId !== undefined && ', '}${sessionId !== undefined && `session ${sessionId}`}</p>`}`;
}

/** The line by which an attempt is found: passed or not, how long, how much. */
export function attemptFacts({ durationMs, tokens, toolCalls, cost, currency, score, denied }: AttemptRow): string {
  return [
    duration(durationMs),
    `${toolCalls} tool ${toolCalls === 1 ? 'call' : 'calls'}`,
    ...(tokens === undefined ? [] : [`${count(tokens)} tokens`]),
    ...(cost === undefined ? [] : [money(cost, currency)]),
    ...(score === undefined ? [] : [`score ${Number(score.toFixed(3))}`]),
    ...(denied === 0 ? [] : [`${denied} denied`]),
  ].join(' · ');
}

/** `✓ passed`, in words too, since colour and sign alone do not reach everybody. */
export function verdictOf({ pass, cause }: AttemptRow): {
  readonly name: 'good' | 'bad' | 'none';
  readonly mark: string;
  readonly word: string;
} {
  if (pass === true) return { name: 'good', mark: '✓', word: 'passed' };
  if (pass === false) return { name: 'bad', mark: '✗', word: 'failed' };
  return cause === undefined
    ? { name: 'none', mark: '–', word: 'not graded' }
    : { name: 'none', mark: '!', word: 'not counted' };
}
