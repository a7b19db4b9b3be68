import { runInNewContext } from 'node:vm';
import { GraderError } from '../grader-error.ts';
import { expectedText, type ReadyGrader, unusable, verdict } from './ready-grader.ts';

/** Patterns can take time without end; this process stands still meanwhile. */
const MAX_MATCH_MS = 1000;

/** Does a pattern match somewhere in the answer? `pattern`, or `/pattern/flags`. */
export const regex: ReadyGrader = {
  name: 'regex',
  says: 'the regular expression matches in the answer: pattern, or /pattern/flags',
  open(argument, { timeoutMs }) {
    if (argument !== undefined) {
      try {
        compile(argument);
      } catch (error) {
        throw unusable('regex', (error as Error).message);
      }
    }
    return (params) => {
      const text = expectedText(argument, params, 'regex');
      const pass = matches(text, params.output, Math.min(timeoutMs, MAX_MATCH_MS));
      return verdict(pass, `${text} matches.`, `${text} does not match in the answer.`);
    };
  },
};

function compile(text: string): RegExp {
  const [, pattern = text, flags = ''] = /^\/([\s\S]+)\/([a-z]*)$/.exec(text) ?? [];
  return new RegExp(pattern, flags);
}

function matches(text: string, output: string, timeoutMs: number): boolean {
  try {
    // Only the virtual machine can end a match that runs.
    return runInNewContext('pattern.test(output)', { pattern: compile(text), output }, { timeout: timeoutMs });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? `it took longer than ${timeoutMs} ms.` : message;
    throw new GraderError(`The pattern ${text} could not be matched: ${why}`, error);
  }
}
