import type { Directories, Part } from '../analysis.ts';
import { NO_INPUT } from '../input.ts';
import type { ShellKind } from '../reader.ts';
import { startState } from '../state.ts';
import type { ShellWord } from '../words/shell-word.ts';
import type { LookContext } from './profile.ts';

/** Looks into words as into a command of their own, run in `where`. */
export function readInner(
  context: LookContext,
  words: readonly ShellWord[],
  where: Directories = context.state.directories,
): readonly Part[] {
  const { reader, state } = context;
  const text = words.map((word) => word.text).join(' ');
  const call = {
    words,
    text,
    span: undefined,
    state: { ...state, directories: where },
    input: NO_INPUT,
  };
  return [reader.readCall({ ...reader, depth: reader.depth + 1 }, call)];
}

/** Looks into the end of a line that may be a command; nothing when this already is such an end. */
export function readTail(context: LookContext, words: readonly ShellWord[]): readonly Part[] {
  const { reader } = context;
  return reader.isTail ? [] : readInner({ ...context, reader: { ...reader, isTail: true } }, words);
}

/** Looks into text that a shell will read; without `kind` it is the shell of the line itself. */
export function readInnerScript(
  { reader, state }: LookContext,
  script: ShellWord,
  shell: string,
  kind: ShellKind = reader.shell,
): readonly Part[] {
  if (script.value === undefined) {
    return [{ type: 'opaque', text: script.text, because: `is a script for ${shell} that is only known then` }];
  }
  const deeper = {
    ...reader,
    depth: reader.depth + 1,
    parts: [],
    source: script.value,
    isLine: false,
    isNested: false,
    shell: kind,
  };
  return reader.readText(deeper, startState(state.directories, state.environment));
}
