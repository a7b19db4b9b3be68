import type { AuthMethod } from '@parley/protocol';
import type { AuthRequiredError } from '../errors.ts';

/** How to log in when the agent asks for it. */
export interface AuthOptions {
  /** The method to use, by its id, or a choice among those the agent offers; undefined to give up. */
  readonly method?: string | ((error: AuthRequiredError) => string | undefined | Promise<string | undefined>);
  /**
   * Lets the agent offer methods that run in the person's terminal. Only where there is one, and only with a source
   * that can run them. Default: false.
   */
  readonly terminal?: boolean;
}

/** Whether a method is run in a terminal rather than by the agent. */
export function isTerminalMethod(method: AuthMethod): method is AuthMethod & { type: 'terminal' } {
  return 'type' in method && method.type === 'terminal';
}
