import { parseArgs } from 'node:util';
import type { Prompts } from '../agent/run/prompts.ts';
import { ConformanceError } from '../errors.ts';
import { PROTOCOLS, type Protocol } from '../versions/protocol.ts';

/** What a person wants checked, and how they want to hear about it. */
export interface CommandLine {
  readonly kind: 'check' | 'list' | 'help';
  readonly role: 'agent' | 'client';
  /** The version to check; `auto` is the highest that an agent speaks. */
  readonly protocol: Protocol | 'auto';
  /** The command after `--`, or one address. */
  readonly words: readonly string[];
  readonly only: readonly string[];
  readonly repeat: number;
  readonly timeoutMs?: number;
  readonly format: ReportFormat;
  /** Files to write besides; the ending tells the format. */
  readonly reports: readonly string[];
  readonly compareWith?: string;
  readonly prompts: Partial<Prompts>;
  readonly authMethod?: string;
  readonly allowLogout: boolean;
  readonly verbose: boolean;
  readonly color?: boolean;
  /** What a client under test gets on its stdin. */
  readonly input?: string;
  /** The options as they were given, without those that choose checks or reports, for `repro` lines. */
  readonly reproOptions: readonly string[];
}

export const REPORT_FORMATS = ['terminal', 'json', 'junit', 'markdown', 'html'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const OPTIONS = {
  client: { type: 'boolean' },
  protocol: { type: 'string' },
  only: { type: 'string', multiple: true },
  repeat: { type: 'string' },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
  format: { type: 'string' },
  report: { type: 'string', multiple: true },
  compare: { type: 'string' },
  prompt: { type: 'string' },
  'prompt-for-tool-call': { type: 'string' },
  'prompt-for-permission': { type: 'string' },
  'prompt-for-terminal': { type: 'string' },
  'prompt-for-long-turn': { type: 'string' },
  'prompt-for-elicitation': { type: 'string' },
  'auth-method': { type: 'string' },
  'allow-logout': { type: 'boolean' },
  input: { type: 'string' },
  list: { type: 'boolean' },
  verbose: { type: 'boolean', short: 'v' },
  'no-color': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Options that decide what is done to the agent, and so belong to a command that does it again. */
const REPRODUCED = [
  'client',
  'protocol',
  'timeout',
  'prompt',
  'prompt-for-tool-call',
  'prompt-for-permission',
  'prompt-for-terminal',
  'prompt-for-long-turn',
  'prompt-for-elicitation',
  'auth-method',
  'allow-logout',
  'input',
] as const;

/** Reads the arguments. Whatever follows `--` is the command under test and is not looked at. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const { values, positionals } = parseOwn(own);
  const words = [...positionals, ...(end === -1 ? [] : argv.slice(end + 1))];
  if (positionals.length > 0 && !/^\w+:\/\//.test(positionals[0] ?? '')) {
    throw usage(`"${positionals[0]}" is neither an option nor an address. Put the command after "--".`);
  }
  const timeoutMs = values.timeout === undefined ? undefined : 1000 * positiveNumber('--timeout', values.timeout);
  return {
    kind: values.help ? 'help' : values.list ? 'list' : 'check',
    role: values.client ? 'client' : 'agent',
    protocol: protocolNamed(values.protocol ?? '1', values.client === true),
    words,
    only: (values.only ?? [])
      .flatMap((list) => list.split(','))
      .map((word) => word.trim())
      .filter(Boolean),
    repeat: values.repeat === undefined ? 1 : wholeNumber('--repeat', values.repeat),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    format: values.json ? 'json' : formatNamed(values.format ?? 'terminal'),
    reports: values.report ?? [],
    ...(values.compare === undefined ? {} : { compareWith: values.compare }),
    prompts: {
      ...(values.prompt === undefined ? {} : { plain: values.prompt }),
      ...(values['prompt-for-tool-call'] === undefined ? {} : { toolCall: values['prompt-for-tool-call'] }),
      ...(values['prompt-for-permission'] === undefined ? {} : { permission: values['prompt-for-permission'] }),
      ...(values['prompt-for-terminal'] === undefined ? {} : { terminal: values['prompt-for-terminal'] }),
      ...(values['prompt-for-long-turn'] === undefined ? {} : { longTurn: values['prompt-for-long-turn'] }),
      ...(values['prompt-for-elicitation'] === undefined ? {} : { elicitation: values['prompt-for-elicitation'] }),
    },
    ...(values['auth-method'] === undefined ? {} : { authMethod: values['auth-method'] }),
    allowLogout: values['allow-logout'] ?? false,
    verbose: values.verbose ?? false,
    ...(values['no-color'] ? { color: false } : {}),
    ...(values.input === undefined ? {} : { input: values.input }),
    reproOptions: REPRODUCED.flatMap((name) => {
      const value = values[name];
      if (value === undefined || value === false) return [];
      return value === true ? [`--${name}`] : [`--${name}`, value];
    }),
  };
}

function parseOwn(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

function formatNamed(name: string): ReportFormat {
  return (
    REPORT_FORMATS.find((format) => format === name) ??
    fail(`--format is one of ${REPORT_FORMATS.join(', ')}, not "${name}".`)
  );
}

function protocolNamed(text: string, isClient: boolean): Protocol | 'auto' {
  if (text === 'auto' && !isClient) return 'auto';
  const names = isClient ? PROTOCOLS.join(' or ') : `${PROTOCOLS.join(', ')} or auto`;
  return PROTOCOLS.find((protocol) => String(protocol) === text) ?? fail(`--protocol is ${names}, not "${text}".`);
}

function wholeNumber(option: string, text: string): number {
  const value = positiveNumber(option, text);
  return Number.isInteger(value) ? value : fail(`${option} takes a whole number, not "${text}".`);
}

function positiveNumber(option: string, text: string): number {
  const value = Number(text);
  return value > 0 ? value : fail(`${option} takes a number greater than 0, not "${text}".`);
}

function fail(message: string): never {
  throw usage(message);
}

function usage(message: string): ConformanceError {
  return new ConformanceError('check_usage', message);
}
