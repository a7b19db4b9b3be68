import { parse } from 'unbash';
import type { Directories, Part } from './analysis.ts';
import { checkText } from './check-text.ts';
import { NO_INPUT } from './input.ts';
import { forgetMovedPaths } from './moved-paths.ts';
import { isProgram } from './profiles/index.ts';
import { MAX_CALLS, MAX_DEPTH, MAX_PARTS, type Reader, type ShellKind } from './reader.ts';
import { readCall } from './script/read-call.ts';
import { readScript } from './script/read-script.ts';
import { type Setting, type State, startState } from './state.ts';
import { literalWord } from './words/shell-word.ts';

/** Where a command line runs. */
export interface ReadOptions {
  readonly directories: Directories;
  readonly home: string | undefined;
  /** Default: `any`. */
  readonly shell?: ShellKind | undefined;
  /** Variables that are given beside the line. */
  readonly environment?: readonly Setting[] | undefined;
}

/** Reads a command line as a shell would, without running it, into the parts that must be allowed. */
export function readCommandLine(text: string, options: ReadOptions): readonly Part[] {
  return readText(createReader(text, options), startState(options.directories, options.environment));
}

/** Reads a program with its arguments, as it is started without a shell. */
export function readArguments(words: readonly string[], options: ReadOptions): readonly Part[] {
  const text = words.join(' ');
  const problem = checkText(text);
  if (problem !== undefined) return [{ type: 'opaque', text, because: problem }];
  const state = startState(options.directories, options.environment);
  const call = {
    span: undefined,
    words: words.map((word) => literalWord(word)),
    text,
    state,
    input: NO_INPUT,
  };
  return [readCall(createReader(text, options), call)];
}

/** Reads the text of `reader.source`; also for `bash -c` and the like, one level deeper. */
function readText(reader: Reader, state: State): readonly Part[] {
  const because = reader.depth > MAX_DEPTH ? 'is nested too deeply' : checkText(reader.source);
  if (because !== undefined) return [{ type: 'opaque', text: reader.source, because }];
  readScript(reader, parse(reader.source), state);
  if (reader.parts.length <= MAX_PARTS) return forgetMovedPaths(reader.parts, state.directories);
  return [{ type: 'opaque', text: reader.source, because: `has more than ${MAX_PARTS} parts` }];
}

function createReader(source: string, { home, shell = 'any' }: ReadOptions): Reader {
  return {
    parts: [],
    home,
    source,
    isLine: true,
    depth: 0,
    isTail: false,
    isNested: false,
    shell,
    budget: { calls: MAX_CALLS },
    readScript,
    readText,
    readCall,
    isProgram,
  };
}
