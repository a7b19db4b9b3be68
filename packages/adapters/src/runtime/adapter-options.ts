import type { AgentOptions } from '@parley/agent';

/** What is seen of an adapter at work. Texts are made only for what is listened to. */
export interface AdapterLog {
  /** What is started, and how it ends. */
  readonly verbose?: (message: string) => void;
  /** Every line, and what became of it. */
  readonly debug?: (message: string) => void;
}

export interface AdapterOptions {
  /** Where sessions live. Default: in memory. */
  readonly store?: AgentOptions['store'];
  /** The environment of the command, which the description may add to. Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly log?: AdapterLog;
  /** Arguments with which this program logs in, in a terminal; clients are then offered that. */
  readonly loginArgs?: readonly string[];
  readonly onDiagnostic?: AgentOptions['onDiagnostic'];
}
