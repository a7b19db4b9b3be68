import { type BuiltProgram, buildProgram } from '../build-program.ts';

/** Builds an agent on the official SDK: a program that plain `node` runs. Its file tells what it does for which prompt. */
export function buildSdkAgent(): Promise<BuiltProgram> {
  return buildProgram(new URL('./main.ts', import.meta.url));
}

/** Builds an agent on the official SDK that speaks both versions of ACP. */
export function buildSdkAgentOfBothVersions(): Promise<BuiltProgram> {
  return buildProgram(new URL('./both-versions/main.ts', import.meta.url));
}
