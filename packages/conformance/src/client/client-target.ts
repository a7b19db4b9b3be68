import type { Wire } from '../wire/wire.ts';

/** A client under test: a command that starts the agent it is told to, or a function that is given the wire to it. */
export type ClientTarget =
  | {
      readonly kind: 'command';
      /** `{agent}` in it stands for the path of the agent to start. */
      readonly argv: readonly string[];
      /** What it gets on its stdin. */
      readonly input?: string;
    }
  | { readonly kind: 'connect'; readonly label: string; readonly connect: ConnectClient };

/** Runs a client on its end of a wire until it is done. */
export type ConnectClient = (
  wire: Wire,
  context: { readonly cwd: string; readonly interrupted: AbortSignal },
) => Promise<number>;

/** The variable in which a client also finds the agent to start. */
export const AGENT_VARIABLE = 'PARLEY_CHECK_AGENT';
/** What stands for the agent in the arguments of a client. */
export const AGENT_PLACEHOLDER = '{agent}';
