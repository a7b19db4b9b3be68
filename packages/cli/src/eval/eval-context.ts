import type { EvalContext } from '@parley/harness/command';
import type { CliContext } from '../context.ts';
import { sharedFlags } from '../flags/shared-flags.ts';
import { HELP_WITH_SHARED_FLAGS } from '../help.ts';

/** Our agents and settings for the commands of `parley eval`. */
export function evalContext(context: CliContext): EvalContext {
  return {
    ...context,
    helpWithSharedFlags: HELP_WITH_SHARED_FLAGS,
    async openAgent(command, words, say) {
      const { openAgent } = await import('./open-agent.ts');
      return openAgent(words, sharedFlags(command), context, say);
    },
  };
}
