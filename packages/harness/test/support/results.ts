import type { CaptureResult, TrialEntry, TrialResult } from '../../src/formats/index.ts';

/** A result of `capture` as a test wants it; what it does not say is ordinary. */
export function capture(id: string, rest: Partial<CaptureResult> & { readonly pass?: boolean } = {}): CaptureResult {
  const { pass, ...fields } = rest;
  const total = fields.timing?.total ?? 1000;
  return {
    id,
    input: `Do ${id}.`,
    output: `Did ${id}.`,
    trajectory: [
      { type: 'thought', content: 'Hm.', timestamp: 10 },
      { type: 'tool_call', name: 'read_file', status: 'completed', toolCallId: 't1', timestamp: 20, duration: 5 },
      { type: 'message', content: `Did ${id}.`, timestamp: 30 },
    ],
    metadata: { agent: 'test', trajectoryRichness: 'full', turnCount: 1 },
    toolErrors: false,
    ...(pass !== undefined && { score: { pass, score: pass ? 1 : 0, ...(!pass && { reasoning: 'not so' }) } }),
    ...fields,
    timing: { start: 0, end: total, sessionCreation: 5, firstResponse: 10, total, ...fields.timing },
  };
}

/** A result of `trials`: `pass` has one entry for each attempt. */
export function trials(
  id: string,
  pass: readonly (boolean | Partial<TrialEntry>)[],
  rest: Partial<TrialResult> = {},
): TrialResult {
  return {
    id,
    input: `Do ${id}.`,
    k: pass.length,
    trials: pass.map((each, index) => ({
      trialNum: index + 1,
      output: `Did ${id}.`,
      trajectory: [{ type: 'message', content: `Did ${id}.`, timestamp: 30 }],
      duration: 1000 + index,
      ...(typeof each === 'boolean' ? { pass: each, score: Number(each) } : each),
    })),
    ...rest,
  };
}

/** Results as the lines of a file. */
export async function* lines(results: readonly object[]): AsyncGenerator<string> {
  for (const result of results) yield `${JSON.stringify(result)}\n`;
}
