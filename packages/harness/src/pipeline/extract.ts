import { type Description, replayLines } from '@parley/adapters';
import {
  applyEvent,
  createTranscript,
  summarizeTranscript,
  type Transcript,
  type TranscriptEvent,
} from '@parley/client';
import { TrajectoryRecorder } from '../attempts/trajectory-recorder.ts';
import type { ExtractedResult, RawResult } from '../formats/pipeline.ts';

/**
 * What the lines of a command say, as its description reads them: every event of every line, stamped with the time at which the line arrived. Without a description
 * the lines are the answer.
 */
export function extract(raw: RawResult, description?: Description): ExtractedResult {
  const { rawLines, lineTimes = [], error } = raw;
  if (!description) {
    const output = rawLines.join('\n');
    const timestamp = lineTimes[0] ?? 0;
    const trajectory = output === '' ? [] : [{ type: 'message', content: output, timestamp } as const];
    return { ...raw, output, trajectory, toolErrors: error !== undefined };
  }
  const { transcript, recorder, failure } = fold(raw, description);
  const trajectory = recorder.stepsOf(transcript, []);
  const hasFailed = trajectory.some((step) => step.type === 'tool_call' && step.status === 'failed');
  const problem = error ?? failure;
  return {
    ...raw,
    output: summarizeTranscript(transcript).text,
    trajectory,
    toolErrors: hasFailed || problem !== undefined,
    ...(problem !== undefined && { error: problem }),
  };
}

/** What a command answered, for the next turn. */
export function outputOf(lines: readonly string[], description?: Description): string {
  if (!description) return lines.join('\n');
  const raw = { id: '', input: '', rawLines: lines, timing: { start: 0, end: 0, total: 0 } };
  return summarizeTranscript(fold(raw, description).transcript).text;
}

interface Folded {
  readonly transcript: Transcript;
  readonly recorder: TrajectoryRecorder;
  /** What the command itself said went wrong. */
  readonly failure: string | undefined;
}

function fold({ rawLines, lineTimes = [], timing }: RawResult, description: Description): Folded {
  const { lines, atEnd, error } = replayLines(description, rawLines);
  let transcript = createTranscript();
  let now = 0;
  const recorder = new TrajectoryRecorder(
    0,
    () => transcript,
    () => now,
  );
  const tell = (event: TranscriptEvent): void => {
    transcript = applyEvent(transcript, event, now);
    recorder.follow(event);
  };
  for (const [index, { events }] of lines.entries()) {
    now = lineTimes[index] ?? 0;
    for (const event of events) tell(event);
  }
  now = lineTimes.at(-1) ?? timing.total;
  for (const event of atEnd) tell(event);
  return { transcript, recorder, failure: error };
}
