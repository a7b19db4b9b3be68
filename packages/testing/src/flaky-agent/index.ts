import { type BuiltProgram, buildProgram } from '../build-program.ts';

/** An agent that is right in a known share of attempts, and counts them. */
export interface FlakyAgent {
  /** What to spawn; attempts are counted in the folder, over all processes. */
  command(folder: string): { readonly command: string; readonly args: readonly string[] };
  remove(): Promise<void>;
}

/** Builds the program once. The prompt says how often it is right: `3/5 anything`. */
export async function buildFlakyAgent(): Promise<FlakyAgent> {
  const program: BuiltProgram = await buildProgram(new URL('./main.ts', import.meta.url));
  return { command: (folder) => ({ command: process.execPath, args: [program.path, folder] }), remove: program.remove };
}
