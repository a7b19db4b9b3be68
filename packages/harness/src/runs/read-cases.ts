import { HarnessError, LineError } from '../errors.ts';
import { type PromptCase, promptCase } from '../formats/prompt-case.ts';
import { nameOf, type ReadLinesOptions, readJsonLines } from '../formats/read-lines.ts';
import { IdIndex } from './id-index.ts';
import type { RunOptions } from './run-options.ts';

/** The cases of a run, checked one by one as they are asked for; those to be skipped are left out. */
export async function* readCases(
  source: RunOptions['cases'],
  { skip, ...options }: ReadLinesOptions & { readonly skip?: RunOptions['skip'] } = {},
): AsyncGenerator<PromptCase, void, undefined> {
  const ids = new IdIndex();
  for await (const { value, line } of openCases(source, options)) {
    const before = ids.add(value.id, line);
    if (before !== undefined) {
      const place = typeof source === 'string' ? `${nameOf(source, options)} line ${line}` : `case ${line}`;
      throw new LineError(`${place}: the id "${value.id}" is taken by line ${before}; each case needs its own.`, {
        line,
        field: 'id',
      });
    }
    if (!skip?.has(value.id)) yield value;
  }
}

async function* openCases(
  source: RunOptions['cases'],
  options: ReadLinesOptions,
): AsyncGenerator<{ readonly value: PromptCase; readonly line: number }> {
  if (typeof source === 'string') return yield* readJsonLines(source, promptCase, options);
  let line = 0;
  for await (const value of source as AsyncIterable<unknown>) {
    line += 1;
    if (typeof value === 'string' || value instanceof Uint8Array) {
      throw new HarnessError(
        'options_invalid',
        'Cases are given as a file, `-`, or objects; for bytes use readJsonLines.',
      );
    }
    yield { value: promptCase.parse(value, { file: 'case', line }), line };
  }
}
