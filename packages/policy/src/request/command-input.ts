import { isRecord } from '@parley/jsonrpc/internal';
import type { CommandInput } from './request.ts';

/**
 * Finds the command in a tool's input, in the shapes agents use: a line, a list of words, a program with `args`, under
 * `command`, `cmd` and other names. Nothing when there is none; `unclear` when there is more than one or an odd one.
 */
export function readCommandInput(input: unknown, isExecute: boolean): CommandInput | undefined {
  if (typeof input === 'string' && isExecute) return { type: 'line', line: input };
  if (isWords(input) && isExecute) return { type: 'arguments', words: input };
  if (!isRecord(input)) return undefined;
  const names = isExecute ? [...COMMAND_FIELDS, ...EXECUTE_FIELDS] : COMMAND_FIELDS;
  const given = names.filter((name) => input[name] !== undefined && input[name] !== null);
  const [name, ...others] = given;
  if (name === undefined) return undefined;
  const value = input[name];
  if (others.some((other) => JSON.stringify(input[other]) !== JSON.stringify(value))) {
    return {
      type: 'unclear',
      text: JSON.stringify(input).slice(0, MAX_SHOWN_CHARS),
      because: `has two commands, ${given.join(' and ')}`,
    };
  }
  return withEnvironment(readCommand(value, firstOf(input, ARGUMENT_FIELDS)), readEnvironment(input));
}

function readCommand(value: unknown, args: unknown): CommandInput {
  if (isWords(value))
    return args === undefined ? { type: 'arguments', words: value } : unclear(value, 'has arguments in two places');
  if (typeof value !== 'string') return unclear(value, 'is not a command in a form that is known');
  if (args === undefined || args === null || (Array.isArray(args) && args.length === 0))
    return { type: 'line', line: value };
  if (!isWords(args)) return unclear(args, 'has arguments in a form that is not known');
  // With words of its own, the first is a program; a line there would be read by a shell or not, nobody knows.
  return /[\s;&|<>$`"'\\(){}*?[\]~#]/.test(value)
    ? unclear(value, 'mixes a command line with arguments')
    : { type: 'arguments', words: [value, ...args] };
}

function unclear(value: unknown, because: string): CommandInput {
  return { type: 'unclear', because, text: (JSON.stringify(value) ?? 'nothing').slice(0, MAX_SHOWN_CHARS) };
}

function withEnvironment(command: CommandInput, environment: Readonly<Record<string, string>> | 'odd'): CommandInput {
  if (command.type === 'unclear') return command;
  if (environment === 'odd') return unclear(environment, 'sets variables in a form that is not known');
  return Object.keys(environment).length === 0 ? command : { ...command, environment };
}

/** `{NAME: value}` or `[{name, value}]`. */
function readEnvironment(input: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> | 'odd' {
  const given = firstOf(input, ENVIRONMENT_FIELDS) ?? {};
  const entries = Array.isArray(given)
    ? given.map((item): [unknown, unknown] => (isRecord(item) ? [item.name, item.value] : [item, undefined]))
    : isRecord(given)
      ? Object.entries(given)
      : [['', undefined]];
  const isPlain = entries.every(([name, value]) => typeof name === 'string' && typeof value === 'string');
  return isPlain ? Object.fromEntries(entries.map(([name, value]) => [String(name), String(value)])) : 'odd';
}

function firstOf(input: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  return names.map((name) => input[name]).find((value) => value !== undefined && value !== null);
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}

/** Longest piece of an odd input that is shown. */
const MAX_SHOWN_CHARS = 200;
export const COMMAND_FIELDS: readonly string[] = [
  'command',
  'cmd',
  'commandLine',
  'command_line',
  'shell_command',
  'shellCommand',
  'argv',
];
/** Names that mean a command only in a tool that executes. */
export const EXECUTE_FIELDS: readonly string[] = ['script', 'code', 'input'];
export const ARGUMENT_FIELDS: readonly string[] = ['args', 'arguments'];
export const ENVIRONMENT_FIELDS: readonly string[] = ['env', 'environment'];
