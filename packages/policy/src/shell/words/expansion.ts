import type { ArithmeticExpansionPart, ParameterExpansionPart, SimpleExpansionPart, Word } from 'unbash';
import { isHazardousVariable } from '../environment.ts';
import { homeOf, note, noteUnlessBash, type WordScope } from '../reader.ts';
import { ANYTHING } from './shell-word.ts';
import { addText, addWildcards, addWord, type WordDraft } from './word-draft.ts';

/** `$name` and `${name...}`: a known variable's value, or anything. */
export function readParameter(
  draft: WordDraft,
  part: SimpleExpansionPart | ParameterExpansionPart,
  scope: WordScope,
  isQuoted: boolean,
): void {
  if (part.type === 'ParameterExpansion' && part.parameter === '') note(scope, 'is not a valid expansion', part.text);
  if (part.type === 'ParameterExpansion' && !isPlain(part)) {
    lookInto(part, scope);
    if (isQuoted && /['"\\`{}]/.test(part.text.slice(2, -1)))
      note(scope, 'has quotes or braces in an expansion, where shells differ about them', part.text);
    return addWildcards(draft, ANYTHING, !isQuoted || LIST.test(part.text));
  }
  const name = part.type === 'SimpleExpansion' ? part.text.slice(1) : part.parameter;
  if (name === '@' || name === '*') return addWildcards(draft, ANYTHING, !isQuoted || name === '@');
  const known = scope.state.variables.get(name);
  if (known) return addWord(draft, known, isQuoted);
  const home = name === 'HOME' ? homeOf(scope) : undefined;
  if (home !== undefined) return addText(draft, home);
  return addWildcards(draft, ANYTHING, !isQuoted);
}

/** `$((...))`: numbers only. A name in it is evaluated as code, and its value may hold a command. */
export function readArithmetic(draft: WordDraft, part: ArithmeticExpansionPart, scope: WordScope): void {
  if (!NUMBERS.test(part.text)) note(scope, 'calculates with values that can hold commands', part.text);
  addWildcards(draft, ANYTHING, false);
}

function isPlain(part: ParameterExpansionPart): boolean {
  return part.prefix === undefined && part.index === undefined && part.operation === undefined;
}

/** The words that are expanded together with the parameter, so that commands in them run. */
export function expandedOperands({ operation }: ParameterExpansionPart): readonly Word[] {
  switch (operation?.type) {
    case 'Default':
    case 'Remove':
      return [operation.operand];
    case 'Replace':
      return [operation.pattern, operation.replacement];
    case 'CaseModification':
      return operation.operand ? [operation.operand] : NO_WORDS;
    default:
      return NO_WORDS;
  }
}

/** Some operators run code themselves. */
function lookInto(part: ParameterExpansionPart, scope: WordScope): void {
  if (part.index !== undefined || (part.operation && !EVERYWHERE.has(part.operation.type)))
    noteUnlessBash(scope, part.text);
  if (part.prefix === '!') note(scope, 'takes the name of a variable from another variable', part.text);
  if (part.index !== undefined && !/^(?:[@*]|\d+)$/.test(part.index.text)) {
    note(scope, 'calculates an index, which can run commands', part.text);
  }
  const operation = part.operation;
  if (operation === undefined) return;
  switch (operation.type) {
    case 'Default':
      if (operation.operator.endsWith('=') && isHazardousVariable(part.parameter)) {
        note(scope, `sets ${part.parameter}, which changes what programs do`, part.text);
      }
      return;
    case 'Slice':
      if (!/^\s*-?\d+\s*(?::\s*-?\d+\s*)?$/.test(part.text.slice(operation.operatorEnd - part.pos, -1))) {
        note(scope, 'calculates a position, which can run commands', part.text);
      }
      return;
    case 'Remove':
    case 'Replace':
    case 'CaseModification':
    case 'Names':
      return;
    default:
      note(scope, 'expands a value in a way that can run commands', part.text);
  }
}

/** Operations that every shell knows. */
const EVERYWHERE = new Set(['Default', 'Remove']);
const NO_WORDS: readonly Word[] = [];
const NUMBERS = /^\$\(\(\s*\d+(?:\s*[-+*/%]\s*\d+)*\s*\)\)$/;
const LIST = /^\$\{!?[A-Za-z_]\w*\[@\]|^\$\{@/;
