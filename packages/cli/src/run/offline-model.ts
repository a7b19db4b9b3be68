import type { ClientSession } from '@parley/client';
import { CliError } from '@parley/host/command-line';
import type { ResolvedAgent } from '../agents/resolved-agent.ts';

/** Told where nobody reads on: an answer of rules must not be taken for one of a model. */
export const OFFLINE: string =
  'no model is within reach, so this is the offline model: rules that follow plain commands. `parley login` stores a key, and a variable such as ANTHROPIC_API_KEY has one.';

/** Whether our own agent has begun a session without a model. */
export function isOffline({ transcript }: ClientSession, { origin }: ResolvedAgent): boolean {
  const model = transcript.options.find(({ category }) => category === 'model');
  return origin === 'own' && model?.currentValue === 'offline';
}

/** A script must not take for success that nobody has understood what it said. */
export async function requireUnderstood(answer: string): Promise<void> {
  const { isNotUnderstood } = await import('@parley/models');
  if (!isNotUnderstood(answer)) return;
  throw new CliError('no_model', 'No model is within reach, and the offline model did not understand the prompt.', {
    next: ['parley login', 'parley models'],
  });
}
