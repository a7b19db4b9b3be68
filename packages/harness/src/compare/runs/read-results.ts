import { isRecord } from '@parley/host/json-files';
import { LineError } from '../../errors.ts';
import {
  type CaptureResult,
  captureResult,
  type Format,
  type GradedResult,
  gradedResult,
  type LineSource,
  type ReadLinesOptions,
  readJsonLines,
  type TrialResult,
  trialResult,
} from '../../formats/index.ts';

/** A line of results, whichever command wrote it. */
export type Result =
  | {
      readonly kind: 'captures';
      readonly value: CaptureResult /** The line itself, where the pipeline wrote it. */;
      readonly written?: GradedResult;
    }
  | { readonly kind: 'trials'; readonly value: TrialResult };

/** Reads results of `capture`, `trials`, `extract` or `grade`, one at a time; which of them is seen by the fields of the first line. */
export async function* readResults(
  source: LineSource,
  options: ReadLinesOptions = {},
): AsyncGenerator<Result, void, undefined> {
  let kind: Result['kind'] | undefined;
  for await (const { value, line } of readJsonLines(source, result, options)) {
    kind ??= value.kind;
    if (value.kind !== kind) {
      throw new LineError(`Line ${line} is of ${value.kind} in a file of ${kind}; keep them in files of their own.`, {
        line,
      });
    }
    yield value;
  }
}

const result: Format<Result> = {
  name: 'Result',
  says: 'What became of one case, in one attempt or several.',
  shape: { type: 'either', shapes: [captureResult.shape, trialResult.shape, gradedResult.shape] },
  parse(value, place) {
    if (isRecord(value) && 'trials' in value) return { kind: 'trials', value: trialResult.parse(value, place) };
    if (isRecord(value) && 'rawLines' in value) {
      const written = gradedResult.parse(value, place);
      return { kind: 'captures', value: captureOf(written), written };
    }
    return { kind: 'captures', value: captureResult.parse(value, place) };
  },
  schema: () => ({ oneOf: [captureResult.schema(), trialResult.schema(), gradedResult.schema()] }),
};

/** What the pipeline wrote, as `capture` would have. */
function captureOf({ rawLines: _, lineTimes: __, error, exitCode, signal, ...rest }: GradedResult): CaptureResult {
  const { timedOut } = rest;
  return {
    ...rest,
    metadata: {
      ...rest.metadata,
      ...(timedOut !== undefined && { timedOut }),
      ...(exitCode !== undefined && { exitCode }),
      ...(signal !== undefined && { signal }),
    },
    timing: { sessionCreation: 0, ...rest.timing },
    ...(error !== undefined && { errors: [error] }),
  };
}
