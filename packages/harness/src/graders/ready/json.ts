import { isRecord } from '@parley/host/json-files';
import { GraderError } from '../grader-error.ts';
import { type ReadyGrader, unusable, verdict } from './ready-grader.ts';

/** Is the answer JSON, and does it have the fields of the expected value? The answer may stand in a fenced block. */
export const json: ReadyGrader = {
  name: 'json',
  says: 'the answer is JSON that has the given fields',
  open(argument) {
    const given = argument === undefined ? undefined : parse(argument);
    if (argument !== undefined && !given) throw unusable('json', `${argument} is not JSON.`);
    return ({ output, hint }) => {
      const answer = parse(fenced(output));
      if (!answer) return verdict(false, '', 'The answer is not JSON.');
      if (given === undefined && hint === undefined) return verdict(true, 'The answer is JSON.', '');
      const expected = given ?? parse(hint ?? '');
      if (!expected) throw new GraderError(`The hint is not JSON: ${hint}`);
      const place = findDifference(expected.value, answer.value, '');
      return verdict(
        place === undefined,
        'The answer has every field.',
        `The answer differs at ${place || 'its top'}.`,
      );
    };
  },
};

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The text of the only fenced block, or the whole text. */
function fenced(text: string): string {
  return /^\s*```\w*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
}

/** Where the answer differs: objects may have more fields, lists and single values are the same. */
function findDifference(expected: unknown, found: unknown, place: string): string | undefined {
  if (isRecord(expected)) {
    if (!isRecord(found)) return place;
    for (const [key, value] of Object.entries(expected)) {
      const inner = place === '' ? key : `${place}.${key}`;
      if (!Object.hasOwn(found, key)) return inner;
      const different = findDifference(value, found[key], inner);
      if (different !== undefined) return different;
    }
    return undefined;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) return place;
    for (const [index, value] of expected.entries()) {
      const different = findDifference(value, found[index], `${place}[${index}]`);
      if (different !== undefined) return different;
    }
    return undefined;
  }
  return expected === found ? undefined : place;
}
