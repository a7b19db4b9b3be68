import type { CaptureResult, TrialEntry, TrialResult } from '../../formats/index.ts';
import type { AttemptRow, CaseRow, FailureCause } from './attempt-row.ts';

/** Longest detail of a cause. Ten thousand rows of them are a few megabytes. */
const MAX_DETAIL_CHARACTERS = 200;

export function rowOfCapture(result: CaptureResult): CaseRow {
  const { id, score, timing, metadata } = result;
  const attempt = toAttempt({
    ...result,
    number: 1,
    durationMs: timing.total,
    pass: score?.pass,
    score: score?.score,
    reasoning: score?.reasoning,
  });
  const richness = metadata.trajectoryRichness;
  return { id, attempts: [attempt], k: 1, ...(typeof richness === 'string' && { richness }) };
}

export function rowOfTrials({ id, k, trials, metadata }: TrialResult): CaseRow {
  const attempts = trials.map((trial) => toAttempt({ ...trial, number: trial.trialNum, durationMs: trial.duration }));
  const richness = trials[0]?.metadata?.trajectoryRichness ?? metadata?.trajectoryRichness;
  return { id, attempts, k: Math.max(1, k), ...(typeof richness === 'string' && { richness }) };
}

interface Attempt extends Omit<TrialEntry, 'trialNum' | 'duration' | 'pass' | 'score' | 'reasoning'> {
  readonly number: number;
  readonly durationMs: number;
  readonly pass?: boolean | undefined;
  readonly score?: number | undefined;
  readonly reasoning?: string | undefined;
}

function toAttempt(attempt: Attempt): AttemptRow {
  const { number, durationMs, pass, score, timing, trajectory, usage, cost, permissions, errors = [] } = attempt;
  const cause = causeOf(attempt);
  const tokens = tokensOf(attempt);
  const calls = trajectory.filter(({ type }) => type === 'tool_call');
  return {
    number,
    durationMs,
    ...(pass !== undefined && { pass }),
    ...(score !== undefined && { score }),
    ...(timing?.firstResponse !== undefined && { firstResponseMs: timing.firstResponse }),
    steps: trajectory.length,
    toolCalls: calls.length,
    hasToolErrors: attempt.toolErrors ?? calls.some((call) => 'status' in call && call.status === 'failed'),
    isTimeout: isTimeout(attempt),
    hasErrors: errors.length > 0 || attempt.failure !== undefined,
    denied: permissions?.filter(({ outcome }) => outcome === 'rejected').length ?? 0,
    ...(tokens !== undefined && { tokens }),
    ...(usage !== undefined && tokens === undefined && { tokens: usage.inputTokens + usage.outputTokens }),
    ...(cost !== undefined && { cost: cost.amount, currency: cost.currency }),
    ...(cause !== undefined && { cause }),
  };
}

function tokensOf({ usage, timing }: Attempt): number | undefined {
  if (usage !== undefined) return usage.totalTokens ?? usage.inputTokens + usage.outputTokens;
  if (timing?.inputTokens === undefined && timing?.outputTokens === undefined) return undefined;
  return (timing.inputTokens ?? 0) + (timing.outputTokens ?? 0);
}

/** Other tools have no field for it, and say it in one of two ways. */
function isTimeout({ failure, metadata, errors = [] }: Attempt): boolean {
  if (failure !== undefined) return failure === 'timeout';
  return metadata?.timedOut === true || errors.some((error) => /\btime[ds]?[ -]?out\b/i.test(error));
}

const EARLY_STOPS = ['refusal', 'max_tokens', 'max_turn_requests', 'cancelled'];

function causeOf(attempt: Attempt): FailureCause | undefined {
  const { failure, errors = [], graderError, stopReason, pass, reasoning, trajectory, permissions, output } = attempt;
  const because = (kind: FailureCause['kind'], detail = errors[0] ?? reasoning ?? ''): FailureCause => ({
    kind,
    detail: oneLine(detail),
  });
  if (failure === 'workspace') return because('workspace');
  if (isTimeout(attempt)) return because('timeout');
  if (failure !== undefined) return because(['start', 'died'].includes(failure) ? failure : 'agent');
  if (errors.length > 0) return because('agent');
  if (graderError !== undefined) return because('grader', graderError);
  if (pass !== false) return undefined;
  if (stopReason !== undefined && EARLY_STOPS.includes(stopReason)) return because('stopped', stopReason);
  const denied = permissions?.find(({ outcome }) => outcome === 'rejected');
  if (denied !== undefined) return because('denied', denied.title ?? denied.kind);
  if (output.trim() === '') return because('silent');
  if (reasoning !== undefined && reasoning !== '') return because('wrong', reasoning);
  const failed = trajectory.find((step) => step.type === 'tool_call' && step.status === 'failed');
  return failed?.type === 'tool_call' ? because('tool', failed.name) : because('wrong', 'the grader gives no reason');
}

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > MAX_DETAIL_CHARACTERS ? `${line.slice(0, MAX_DETAIL_CHARACTERS - 1)}…` : line;
}
