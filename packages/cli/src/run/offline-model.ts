import type { ClientSession } from '@parley/client';
import type { ResolvedAgent } from '../agents/resolved-agent.ts';

/** Told where nobody reads on: an answer of rules must not be taken for one of a model. */
export const OFFLINE: string =
  'no model is set up, so this is the offline model: rules that follow plain commands. A key such as ANTHROPIC_API_KEY, or `parley models`, gets you a real one.';

/** Whether our own agent has begun a session without a model. */
export function isOffline({ transcript }: ClientSession, { origin }: ResolvedAgent): boolean {
  const model = transcript.options.find(({ category }) => category === 'model');
  return origin === 'own' && model?.currentValue === 'offline';
}
