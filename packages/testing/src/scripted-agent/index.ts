import { type BuiltProgram, buildProgram } from '../build-program.ts';
import type { AgentScript } from './script.ts';

export { MISBEHAVIOURS, type Misbehaviour } from './misbehaviours.ts';
export { type AgentScript, END_TURN, type Step, sayAndEnd } from './script.ts';
export { SUBAGENT_ID, SUBAGENT_SCRIPTS } from './subagents.ts';

/** An agent that does exactly what a script says, as a real child process. */
export interface ScriptedAgent {
  /** What to spawn for a script. */
  command(script: AgentScript): { readonly command: string; readonly args: readonly string[] };
  remove(): Promise<void>;
}

/** Builds the program once; then every script is one argument to it. */
export async function buildScriptedAgent(): Promise<ScriptedAgent> {
  const program: BuiltProgram = await buildProgram(new URL('./main.ts', import.meta.url));
  return {
    command: (script) => ({ command: process.execPath, args: [program.path, JSON.stringify(script)] }),
    remove: program.remove,
  };
}
