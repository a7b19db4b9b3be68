import type { AgentAddress } from '@parley/client';
import type { AgentSandboxConfig } from '../config/config.ts';

/** An agent that a person named, by whatever name, found and ready to be started. */
export interface ResolvedAgent {
  /** The name that leads to it again: `parley`, `gemini`, or the command line itself. */
  readonly name: string;
  /** For people: `Gemini CLI`. */
  readonly title: string;
  readonly origin: 'own' | 'configured' | 'built-in' | 'registry' | 'local' | 'adapter' | 'command';
  readonly address: AgentAddress;
  /** The sandbox that its process is started in. Default: none. */
  readonly sandbox?: AgentSandboxConfig;
}
