import type { SharedFlags } from '../flags/shared-flags.ts';

/** The flags of `parley serve`. `--agent` names the default agent. */
export interface ServeFlags extends SharedFlags {
  readonly config?: string;
  readonly host?: string;
  readonly port?: string;
  readonly socket?: string;
  readonly allowRemote?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** False with `--no-store`. */
  readonly store?: string | false;
  readonly hostFiles?: boolean;
  readonly hostTerminals?: boolean;
  readonly logLevel?: string;
  readonly logFile?: string;
  readonly auditFile?: string;
  /** False with `--no-web`. */
  readonly web?: boolean;
  /** Shows the page in the browser of this machine. */
  readonly open?: boolean;
  readonly json?: boolean;
  readonly check?: boolean;
}
