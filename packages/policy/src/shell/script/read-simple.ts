import type { Assignment, Command, HereDoc, Redirection } from 'unbash';
import type { Part } from '../analysis.ts';
import { isHazardousVariable } from '../environment.ts';
import type { Input } from '../input.ts';
import { homeOf, noteUnlessBash, opaque, type Reader, spanOf, type WordScope } from '../reader.ts';
import {
  changeDirectory,
  forget,
  type Outcome,
  type Setting,
  type State,
  same,
  withoutVariables,
  withSettings,
  withVariable,
} from '../state.ts';
import { pushWords, readQuotedText, readWord } from '../words/read-word.ts';
import { literalWord, type ShellWord, unknownWord } from '../words/shell-word.ts';
import { readCall } from './read-call.ts';

/** Reads one simple command with its assignments and redirects, and what it leaves behind. */
export function readSimple(reader: Reader, node: Command, state: State, pipeInput: Input): Outcome {
  const scope = { reader, state };
  const text = reader.source.slice(node.pos, node.end);
  const assignments = node.prefix.filter((child): child is Assignment => child.type === 'Assignment');
  let input = pipeInput;
  for (const redirect of node.redirects) input = readRedirect(reader, redirect, scope, state) ?? input;
  const environment = assignments.map((assignment) => readAssignment(reader, assignment, scope));
  if (node.name === undefined) return same(readAssignments(reader, environment, state, node));

  const words: ShellWord[] = [];
  pushWords(words, node.name, scope);
  if (words.length !== 1 || words[0]?.value === undefined) {
    opaque(reader, text, 'runs a program that is only known then');
    for (const argument of node.args) if (argument.type === 'Word') readWord(argument, scope);
    return same(forget(state));
  }
  for (const argument of node.args) {
    if (argument.type === 'Word') pushWords(words, argument, scope);
    else words.push(readAssignment(reader, argument, scope));
  }
  const settings = environment.map((word): Setting => ({ word, name: nameOf(word), isPlain: false }));
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
  return leaveBehind(words, withoutNames(state, settings), scope);
}

/** In some shells `NAME=value` before a command of the shell itself stays: what the name stands for is not known after it. */
function withoutNames(state: State, settings: readonly Setting[]): State {
  return settings.reduce((current, { name }) => withVariable(current, name, undefined), state);
}

function leaveBehind(words: readonly ShellWord[], state: State, scope: WordScope): Outcome {
  const name = words[0]?.value ?? '';
  if (name === 'cd' || name === 'pushd' || name === 'chdir') {
    const targets = words.slice(1).filter((word) => !/^-[LP]$|^--$/.test(word.value ?? ''));
    const target =
      targets.length === 0
        ? homeOf(scope)
        : targets.length === 1 && targets[0]?.value !== '-'
          ? targets[0]?.value
          : undefined;
    return { ok: changeDirectory(state, target), fail: state };
  }
  if (name === 'popd' || name === 'eval') return same(forget(state));
  if (!SETS_VARIABLES.has(name)) return same(state);
  const exported = EXPORTS.has(name) ? words.slice(1).filter((word) => /^[A-Za-z_]\w*=/.test(word.text)) : [];
  const settings = exported.map((word): Setting => ({ word, name: nameOf(word), isPlain: false }));
  return same(withSettings(withoutVariables(state), settings));
}

/** `NAME=value` as one word, for rules and for what the next command knows. */
function readAssignment(reader: Reader, assignment: Assignment, scope: WordScope): ShellWord {
  if (assignment.index !== undefined) opaque(reader, assignment.text, 'sets an index, which can run commands');
  if (assignment.append === true) noteUnlessBash(scope, assignment.text);
  if (assignment.value.type === 'ArrayValue' || assignment.value.text.startsWith('(')) {
    opaque(reader, assignment.text, 'sets a list, which shells do differently');
  }
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

/** A line of assignments alone sets shell variables. */
function readAssignments(reader: Reader, environment: readonly ShellWord[], state: State, node: Command): State {
  let current = state;
  for (const word of environment) {
    const name = nameOf(word);
    if (isHazardousVariable(name)) opaque(reader, word.text, `sets ${name}, which changes what programs do`);
    const value = word.value?.slice(name.length + 1);
    current = withVariable(current, name, value === undefined ? undefined : literalWord(value, word.text));
    current = withSettings(current, [{ word, name, isPlain: true }]);
  }
  if (environment.length > 0) {
    reader.parts.push({
      type: 'command',
      text: reader.source.slice(node.pos, node.end),
      span: spanOf(reader, node),
      words: [],
      environment: [],
      directories: state.directories,
      files: [],
      dangers: [],
      isHarmless: true,
      inner: undefined,
      addresses: [],
      usesRepository: false,
      plainWords: undefined,
      printsNames: undefined,
    });
  }
  return current;
}

function nameOf(assignment: ShellWord): string {
  return /^[A-Za-z_]\w*/.exec(assignment.text)?.[0] ?? '';
}

/** A redirect is a file operation; a here-document is input. Returns the input it gives the command. */
function readRedirect(reader: Reader, redirect: Redirection, scope: WordScope, state: State): Input | undefined {
  if (redirect.descriptor?.type === 'FileDescriptorVariable')
    opaque(reader, redirect.descriptor.name, 'names a redirect by a variable');
  if (redirect.descriptor?.type === 'FileDescriptor' && redirect.descriptor.value > 9)
    noteUnlessBash(scope, String(redirect.descriptor.value));
  if (redirect.type === 'HereDoc') {
    checkHereDocument(reader, redirect);
    if (redirect.closing === undefined)
      opaque(reader, redirect.delimiter?.text ?? '<<', 'is a here-document without an end');
    const word = readQuotedText(
      redirect.body.text,
      redirect.delimiter?.quoted ? undefined : redirect.body.parts,
      scope,
    );
    return { type: 'text', word };
  }
  if (redirect.target === undefined) {
    opaque(reader, redirect.operator, 'is a redirect without a target');
    return undefined;
  }
  const word = readWord(redirect.target, scope);
  if (redirect.type === 'HereString') {
    noteUnlessBash(scope, redirect.operator);
    return { type: 'text', word };
  }
  if (redirect.operator.startsWith('&')) noteUnlessBash(scope, redirect.operator);
  if (word.splits) opaque(reader, word.text, 'is a redirect to names that shells find in different ways');
  if (/^[<>]&$/.test(redirect.operator)) {
    if (/^(?:\d|-)$/.test(word.value ?? '')) return undefined;
    noteUnlessBash(scope, reader.source.slice(redirect.pos, redirect.end));
    if (/^\d+-?$/.test(word.value ?? '')) return undefined;
  }
  if (word.value !== undefined && HARMLESS_DEVICES.test(word.value)) return undefined;
  if (/^\/dev\/(?:tcp|udp)\//.test(word.value ?? '/dev/tcp/') && word.value !== undefined)
    opaque(reader, word.text, 'opens a network connection');
  const text = reader.source.slice(redirect.pos, redirect.end);
  const access = redirect.operator === '<' || redirect.operator === '<&' ? 'read' : 'write';
  const part: Part = {
    type: 'file',
    text,
    span: spanOf(reader, redirect),
    access,
    word,
    directories: state.directories,
  };
  reader.parts.push(part);
  if (redirect.operator === '<>') reader.parts.push({ ...part, access: 'read' });
  return { type: 'unknown' };
}

/** The end of a here-document must be plain to see: shells differ about odd marks, joined lines and ends of substitutions. */
function checkHereDocument(reader: Reader, { delimiter, body }: HereDoc): void {
  const isPlain = /^(?:[A-Za-z_]\w*|'[A-Za-z_]\w*'|"[A-Za-z_]\w*"|\\[A-Za-z_]\w*)$/.test(delimiter?.text ?? '');
  const text = reader.source.slice(body.pos, body.end);
  const isOdd = (delimiter?.quoted !== true && text.includes('\\\n')) || (reader.isNested && !isBalanced(text));
  if (!isPlain || isOdd)
    opaque(reader, delimiter?.text ?? '<<', 'is a here-document whose end shells find differently');
}

/** No quotes, and every parenthesis has its partner. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === '(') open += 1;
    if (sign === ')') open -= 1;
    if (open < 0 || '\'"`'.includes(sign)) return false;
  }
  return open === 0;
}

const EXPORTS = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/;
const SETS_VARIABLES = new Set([
  'source',
  '.',
  'read',
  'export',
  'declare',
  'typeset',
  'local',
  'readonly',
  'unset',
  'printf',
  'mapfile',
  'readarray',
  'getopts',
  'let',
]);
