import type { AndOr, Command, For, ParsedScript, Pipeline, PipelineNode, Statement, TestExpression } from 'unbash';
import type { Part } from '../analysis.ts';
import { outsideGrammar } from '../grammar.ts';
import type { Input } from '../input.ts';
import { NO_INPUT } from '../input.ts';
import { MAX_PARTS, noteUnlessBash, opaque, type Reader } from '../reader.ts';
import { changeDirectory, join, type Outcome, type State, same, withLoop } from '../state.ts';
import { readWord, readWords } from '../words/read-word.ts';
import { type ShellWord, unknownWord } from '../words/shell-word.ts';
import { findUnread } from './coverage.ts';
import { passesLines } from './pass-lines.ts';
import { readSimple } from './read-simple.ts';

/** Most turns of a `for` loop that are looked at one by one. */
const MAX_TURNS = 16;

/** Reads the statements of a parsed script one after the other. */
export function readScript(reader: Reader, script: ParsedScript, state: State): State {
  const error = script.errors?.[0];
  const problem = error ? `cannot be parsed: ${error.message}` : findUnread(reader.source, script);
  if (problem !== undefined) opaque(reader, reader.source.slice(script.pos, script.end), problem);
  return readStatements(reader, script.commands, state);
}

function readStatements(reader: Reader, statements: readonly Statement[], state: State): State {
  let current = state;
  for (const statement of statements) {
    if (reader.parts.length > MAX_PARTS) return current;
    const outcome = readNode(reader, statement.command, current, NO_INPUT);
    if (statement.background !== true) current = join(outcome.ok, outcome.fail);
  }
  return current;
}

function readNode(reader: Reader, node: PipelineNode | AndOr, state: State, input: Input): Outcome {
  switch (node.type) {
    case 'Command':
      return readSimple(reader, node, state, input);
    case 'Pipeline':
      return readPipeline(reader, node, state);
    case 'AndOr':
      return readAndOr(reader, node, state);
    case 'Redirected': {
      const redirects: Command = {
        type: 'Command',
        pos: node.pos,
        end: node.end,
        name: undefined,
        prefix: node.redirects,
        suffix: [],
        args: [],
        redirects: node.redirects,
      };
      readSimple(reader, redirects, state, input);
      return readNode(reader, node.command, state, NO_INPUT);
    }
    case 'Subshell':
      readStatements(reader, node.body.commands, state);
      return same(state);
    case 'BraceGroup':
      return same(readStatements(reader, node.body.commands, state));
    case 'If': {
      let current = readStatements(reader, node.clause.commands, state);
      let result = readStatements(reader, node.then.commands, current);
      for (const branch of node.elif) {
        current = readStatements(reader, branch.clause.commands, current);
        result = join(result, readStatements(reader, branch.then.commands, current));
      }
      return same(join(result, node.else ? readStatements(reader, node.else.commands, current) : current));
    }
    case 'While':
      return same(
        readLoop(reader, state, (from) =>
          readStatements(reader, node.body.commands, readStatements(reader, node.clause.commands, from)),
        ),
      );
    case 'For':
      return same(readFor(reader, node, state));
    case 'TestCommand':
      if (reader.source.slice(node.pos, node.end).includes('\n'))
        opaque(
          reader,
          reader.source.slice(node.pos, node.end),
          'is a test over several lines, which other shells run as commands',
        );
      readTest(reader, node.expression, state);
      return same(state);
    default:
      return same(readOutside(reader, node, state));
  }
}

/** A construct that asks. Deny rules still hold for the commands that can be seen in it. */
function readOutside(reader: Reader, node: PipelineNode, state: State): State {
  const unknown = changeDirectory(state, undefined);
  const name = node.type === 'Case' ? 'case of words' : node.type === 'Function' ? 'function' : 'other construct';
  opaque(reader, reader.source.slice(node.pos, node.end), outsideGrammar(name));
  if (node.type === 'Case') for (const { body } of node.items) readStatements(reader, body.commands, unknown);
  if (node.type === 'Function' && node.body.type !== 'CompoundList') readNode(reader, node.body, unknown, NO_INPUT);
  return unknown;
}

function readPipeline(reader: Reader, node: Pipeline, state: State): Outcome {
  const [first] = node.commands;
  const text = reader.source.slice(node.pos, node.end);
  for (const prefix of node.prefixes) if (prefix.type === 'Time') noteUnlessBash({ reader, state }, text);
  if (node.operators.includes('|&')) noteUnlessBash({ reader, state }, text);
  if (node.commands.length === 1 && first !== undefined) {
    const outcome = readNode(reader, first, state, NO_INPUT);
    const isNegated = node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1;
    return isNegated ? { ok: outcome.fail, fail: outcome.ok } : outcome;
  }
  let input: Input = NO_INPUT;
  let last = state;
  for (const command of node.commands) {
    const before = reader.parts.length;
    const outcome = readNode(reader, command, state, input);
    last = join(outcome.ok, outcome.fail);
    const part: Part | undefined = reader.parts[before];
    const isOne = reader.parts.length === before + 1 && part?.type === 'command';
    input = (isOne ? part.printsNames : undefined) ?? (isOne && passesLines(part.words) ? input : NO_INPUT);
  }
  // Some shells run the last command of a pipe themselves, so what it sets may hold from then on.
  return same(join(state, last));
}

function readAndOr(reader: Reader, node: AndOr, state: State): Outcome {
  let result: Outcome = same(state);
  for (const [index, command] of node.commands.entries()) {
    const operator = index === 0 ? undefined : node.operators[index - 1];
    const outcome = readNode(reader, command, operator === '||' ? result.fail : result.ok, NO_INPUT);
    if (operator === '&&') result = { ok: outcome.ok, fail: join(result.fail, outcome.fail) };
    else if (operator === '||') result = { ok: join(result.ok, outcome.ok), fail: outcome.fail };
    else result = outcome;
  }
  return result;
}

/** `for name in words`: in the body the variable holds one word after the other, and nothing can set it to anything else. */
function readFor(reader: Reader, node: For, state: State): State {
  const name = node.name.value;
  const scope = { reader, state };
  // Names in capitals, and `_`, are those that shells set or ignore by themselves; zsh has some in lower case.
  if (!LOOP_VARIABLE.test(name) || OF_ZSH.has(name) || state.loops.has(name))
    opaque(reader, node.name.text, 'is a variable that may not hold the words of the loop');
  const turns = loopWords(node.wordlist?.flatMap((word) => readWords(word, scope)));
  return readLoop(reader, state, (from) => {
    let last = from;
    for (const turn of turns) last = join(last, readStatements(reader, node.body.commands, withLoop(from, name, turn)));
    return { ...last, loops: from.loops };
  });
}

/** A loop's body is read once: it must leave the shell in the folder where it began. */
function readLoop(reader: Reader, state: State, turn: (from: State) => State): State {
  const after = turn(state);
  if (after.directories === state.directories) return state;
  opaque(reader, 'cd', 'changes the folder in a loop');
  return changeDirectory(state, undefined);
}

function loopWords(words: readonly ShellWord[] | undefined): readonly ShellWord[] {
  if (words === undefined || words.length > MAX_TURNS) return [unknownWord('the words of the loop')];
  return words.map((word) => (word.value === undefined ? { ...word, splits: false } : word));
}

/** `[[ ... ]]`: where other shells would see operators, or a calculation, it is not taken for a test. */
function readTest(reader: Reader, expression: TestExpression, state: State): void {
  const scope = { reader, state };
  switch (expression.type) {
    case 'TestUnary':
      if (expression.operator === '-v' || expression.operator === '-R')
        opaque(reader, expression.operand.text, 'names a variable in a way that can run commands');
      readWord(expression.operand, scope);
      return;
    case 'TestBinary': {
      const left = readWord(expression.left, scope);
      const right = readWord(expression.right, scope);
      const isNumeric = [left, right].every((word) => /^-?\d+$/.test(word.value ?? ''));
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator) && !isNumeric)
        opaque(reader, left.text, 'calculates with values that can hold commands');
      if (expression.operator === '<' || expression.operator === '>')
        opaque(reader, right.text, 'is a redirect in shells without [[');
      return;
    }
    case 'TestNot':
      return readTest(reader, expression.operand, state);
    default:
      opaque(
        reader,
        reader.source.slice(expression.pos, expression.end),
        'is a test that other shells read as commands',
      );
  }
}

const LOOP_VARIABLE = /^[a-z][a-z0-9_]*$/;
const OF_ZSH = new Set(
  'path fpath cdpath manpath mailpath module_path fignore argv status prompt psvar watch histchars pipestatus signals'.split(
    ' ',
  ),
);
