import type { PermissionQuestion } from '../question.ts';
import type { Decision, PermissionOptions } from './permission-options.ts';

/** Decides by mode and rules. Without either, every request is a question for the person. */
export function createDecider(
  options: PermissionOptions,
  _cwdOf: (sessionId: string) => string | undefined,
): (question: PermissionQuestion) => Decision | Promise<Decision> {
  if (options.mode === undefined && options.rules === undefined) {
    return () => ({ verdict: 'ask', because: 'No rule is set.' });
  }
  return () => ({ verdict: 'ask', because: 'No rule is set.' });
}
