import { parse } from 'unbash';
import type { Part } from './analysis.ts';
import { checkText } from './check-text.ts';
import { findProfile } from './profiles/index.ts';
import { type ReadOptions, readCommandLine } from './read-command-line.ts';
import { PLAIN_VARIABLES } from './words/expansion.ts';

/** How a command line is read: the constructs of the grammar in it, and by which form each of its programs is known. */
export interface LineDescription {
  /** Names in the table of the grammar. */
  readonly constructs: readonly string[];
  readonly programs: readonly ProgramForm[];
}

export interface ProgramForm {
  readonly name: string;
  /** `listed options`: others ask. `own reader`: its arguments are read as the program reads them. `unknown`: every argument may name a file. */
  readonly form: 'listed options' | 'own reader' | 'unknown';
}

/** Describes a line for `parley permissions explain`. */
export function describeLine(line: string, options: ReadOptions): LineDescription {
  const constructs = new Set<string>();
  if (checkText(line) === undefined) visit(parse(line), constructs);
  const programs = new Map(
    programsIn(readCommandLine(line, options)).map((name) => [name, { name, form: formOf(name) }]),
  );
  return { constructs: [...constructs], programs: [...programs.values()] };
}

function programsIn(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) =>
    part.type === 'command' ? [part.words[0]?.value ?? '', ...programsIn(part.inner?.parts ?? [])] : [],
  );
}

function formOf(name: string): ProgramForm['form'] {
  const profile = findProfile(name);
  if (name === 'cd') return 'own reader';
  if (profile === undefined) return 'unknown';
  return profile.lookInstead === undefined ? 'listed options' : 'own reader';
}

/** Parts of the tree have a type; their order is that of the line. */
function visit(value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) visit(each, found);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const node = value as Readonly<Record<string, unknown>>;
  const name = constructOf(node);
  // The variable of a loop belongs to the loop.
  if (name !== undefined && !(name === 'other variable' && found.has('for loop'))) found.add(name);
  // Parts of words are found when they are asked for.
  for (const field of [...Object.values(node), node.parts, node.script]) visit(field, found);
}

function constructOf(node: Readonly<Record<string, unknown>>): string | undefined {
  const list = node.commands;
  switch (node.type) {
    case 'Script':
    case 'CompoundList':
      return Array.isArray(list) && list.length > 1 ? 'list' : undefined;
    case 'Pipeline':
      return Array.isArray(list) && list.length > 1 ? 'pipeline' : 'negation';
    case 'Command':
      return nameOfCommand(node);
    case 'SimpleExpansion':
      return PLAIN_VARIABLES.has(String(node.text).slice(1)) ? 'plain variable' : 'other variable';
    case 'ArithmeticExpansion':
      return /[A-Za-z_]/.test(String(node.text)) ? 'other calculation' : 'calculation with numbers';
    default:
      return CONSTRUCTS[String(node.type)];
  }
}

function nameOfCommand({ name, prefix }: Readonly<Record<string, unknown>>): string {
  const text = (name as { readonly text?: string } | undefined)?.text;
  if (text === undefined) return 'assignment';
  if (text === 'cd') return 'change of folder';
  return Array.isArray(prefix) && prefix.some(({ type }) => type === 'Assignment')
    ? 'variables of a program'
    : 'simple command';
}

const CONSTRUCTS: Readonly<Record<string, string>> = {
  AndOr: 'list',
  Subshell: 'group',
  BraceGroup: 'group',
  Redirect: 'redirection',
  HereDoc: 'here-document',
  If: 'condition',
  TestCommand: 'test',
  For: 'for loop',
  While: 'while loop',
  Case: 'case of words',
  Function: 'function',
  CommandExpansion: 'command substitution',
  ProcessSubstitution: 'process substitution',
  ParameterExpansion: 'other expansion',
  Glob: 'glob',
  BraceExpansion: 'brace list',
  ArithmeticFor: 'other construct',
  ArithmeticCommand: 'other construct',
  Coproc: 'other construct',
  Select: 'other construct',
};
