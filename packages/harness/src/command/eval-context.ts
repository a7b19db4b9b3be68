import type { CommandContext, ExitCodeSet } from '@parley/host/command-line';
import type { Command, HelpConfiguration } from 'commander';
import type { AgentOptions } from '../attempts/attempt.ts';
import type { LoadGraderOptions } from '../graders/load-grader.ts';

/** The surroundings of `parley eval`, with the knowledge of the command around it: its settings, and the agents that it finds by name. */
export interface EvalContext extends CommandContext {
  /** How to start this program again: the grader `judge` does. */
  readonly self: { readonly command: string; readonly args: readonly string[] };
  /** Help that also shows the flags that all commands share, for commands that talk to an agent. */
  readonly helpWithSharedFlags: HelpConfiguration;
  /** Finds the agent of a run by the flags of the command, or by the words that stood after `--`. */
  openAgent(command: Command, words: readonly string[], say: (text: string) => void): Promise<EvalAgent>;
}

/** What graders need of the command around them. */
export function graderOptions({ cwd, env, self }: EvalContext): LoadGraderOptions {
  return { cwd, parley: { command: [self.command, ...self.args], env } };
}

/** The agent of a run, and the settings that apply to it. */
export interface EvalAgent {
  readonly options: AgentOptions & { readonly agentName: string };
  /** The folder of the run. */
  readonly cwd: string;
  /** For one attempt. */
  readonly timeoutMs?: number | undefined;
  readonly isVerbose: boolean;
  readonly exitCodes?: ExitCodeSet | undefined;
}
