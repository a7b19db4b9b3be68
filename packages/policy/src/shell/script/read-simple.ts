import type { Assignment, Command } from 'unbash';
import { outsideGrammar } from '../grammar.ts';
import type { Input } from '../input.ts';
import { noteUnlessBash, opaque, type Reader, spanOf, type WordScope } from '../reader.ts';
import { changeDirectory, type Outcome, type Setting, type State, same, withSettings } from '../state.ts';
import { pushWords, readWord } from '../words/read-word.ts';
import { literalWord, type ShellWord, unknownWord } from '../words/shell-word.ts';
import { readCall } from './read-call.ts';
import { readRedirect } from './read-redirect.ts';

/** Reads one simple command with its redirects and the variables before it, and where it leaves the shell. */
export function readSimple(reader: Reader, node: Command, state: State, pipeInput: Input): Outcome {
  const scope = { reader, state };
  const text = reader.source.slice(node.pos, node.end);
  let input = pipeInput;
  for (const redirect of node.redirects) input = readRedirect(reader, redirect, scope, state) ?? input;
  const settings = node.prefix
    .filter((child): child is Assignment => child.type === 'Assignment')
    .map((assignment): Setting => ({ name: assignment.name, word: readAssignment(reader, assignment, scope) }));
  if (node.name === undefined) {
    if (settings.length > 0) opaque(reader, text, outsideGrammar('assignment'));
    return same(state);
  }

  const words: ShellWord[] = [];
  pushWords(words, node.name, scope);
  if (words.length !== 1 || words[0]?.value === undefined || !isLiteral(node.name.text)) {
    opaque(reader, text, 'runs a program that is only known then');
    for (const argument of node.args) if (argument.type === 'Word') readWord(argument, scope);
    return same(changeDirectory(state, undefined));
  }
  for (const argument of node.args) {
    if (argument.type === 'Word') pushWords(words, argument, scope);
    else words.push(readAssignment(reader, argument, scope));
  }
  reader.parts.push(
    readCall(reader, {
      words,
      text,
      span: spanOf(reader, node),
      state: withSettings(state, settings),
      input,
      leavesShell: true,
    }),
  );
  return words[0].value === 'cd' ? { ok: changeDirectory(state, targetOf(words)), fail: state } : same(state);
}

/** The name of a program is written out: the value of a loop's variable is never one. */
function isLiteral(text: string): boolean {
  return !/\$(?!')|`/.test(text);
}

/** The folder of `cd folder`; undefined for every other form. */
function targetOf([, target, ...more]: readonly ShellWord[]): string | undefined {
  return more.length > 0 || /^[-+]/.test(target?.value ?? '') ? undefined : target?.value;
}

/** `NAME=value` as one word, for rules and for what the program finds. */
function readAssignment(reader: Reader, assignment: Assignment, scope: WordScope): ShellWord {
  if (assignment.index !== undefined) opaque(reader, assignment.text, 'sets an index, which can run commands');
  if (assignment.append === true) noteUnlessBash(scope, assignment.text);
  if (assignment.value.type === 'ArrayValue' || assignment.value.text.startsWith('('))
    opaque(reader, assignment.text, 'sets a list, which shells do differently');
  if (assignment.value.type === 'ArrayValue') {
    for (const element of assignment.value.elements) readWord(element, scope);
    return unknownWord(assignment.text, false);
  }
  const value = readWord(assignment.value, scope);
  if (value.value === undefined || assignment.append === true || assignment.index !== undefined) {
    const prefix = `${assignment.name}=`;
    return {
      text: assignment.text,
      value: undefined,
      glob: [...[...prefix].map((character) => character.charCodeAt(0)), ...value.glob],
      splits: false,
    };
  }
  return literalWord(`${assignment.name}=${value.value}`, assignment.text);
}
