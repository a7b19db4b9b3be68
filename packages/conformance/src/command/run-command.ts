import { writeFile } from 'node:fs/promises';
import { SpawnError } from '@parley/host/process';
import { quoteWords } from '@parley/host/terminal';
import { AGENT_CHECKS, agentChecks } from '../agent/agent-checks.ts';
import { parseTarget } from '../agent/agent-target.ts';
import { runChecks } from '../agent/run/run-agent-checks.ts';
import type { CheckFacts } from '../check.ts';
import { clientChecks } from '../client/client-checks.ts';
import { runClientChecks } from '../client/run/run-client-checks.ts';
import { ConformanceError } from '../errors.ts';
import { limitsFor } from '../limits.ts';
import { compareReports } from '../report/compare.ts';
import { readReport } from '../report/read-report.ts';
import { hasFailed, hasJudged, type Report } from '../report/report.ts';
import { formatOfFile, formatReport } from './format-report.ts';
import { helpText, listText } from './help.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';
import { type ProgressOutput, showProgress } from './show-progress.ts';

export interface CommandIo {
  readonly stdout: ProgressOutput;
  readonly stderr: ProgressOutput;
  /** How this is called, for help and `repro` lines: `parley check`. */
  readonly command: string;
  readonly signal?: AbortSignal;
}

export const EXIT_CODES = {
  fine: 0,
  mustBroken: 1,
  usage: 2,
  cannotStart: 6,
  needsAuthentication: 7,
  stopped: 130,
} as const;

/** Runs the command with these arguments; the exit code. Mistakes are told on stderr, never thrown. */
export async function runCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const line = parseCommandLine(argv);
    if (line.kind === 'help') return say(io, helpText(io.command));
    if (line.kind === 'list') return say(io, listText(checksOf(line)));
    line.reports.forEach(formatOfFile);
    const earlier = line.compareWith === undefined ? undefined : await readReport(line.compareWith);
    const report = await check(line, io);
    const comparison = earlier && compareReports(earlier, report);
    const color = line.color ?? (io.stdout.isTTY === true && process.env.NO_COLOR === undefined);
    io.stdout.write(
      formatReport(report, line.format, { color, verbose: line.verbose, ...(comparison && { comparison }) }),
    );
    for (const path of line.reports) await writeFile(path, formatReport(report, formatOfFile(path)));
    return exitCodeOf(report, io);
  } catch (error) {
    return explain(error, io);
  }
}

/** The checks of the version that was asked for; those of every version where the agent is to say which. */
function checksOf({ role, protocol }: CommandLine): readonly CheckFacts[] {
  if (protocol === 'auto') return AGENT_CHECKS;
  return role === 'agent' ? agentChecks(protocol) : clientChecks(protocol);
}

function check(line: CommandLine, io: CommandIo): Promise<Report> {
  const { protocol, only, repeat, prompts, authMethod, allowLogout, timeoutMs } = line;
  const command = [io.command, quoteWords(line.reproOptions)].filter((part) => part !== '').join(' ');
  if (line.role === 'client') return checkClient(line, io, command);
  return runChecks(parseTarget(line.words), {
    protocol,
    only,
    repeat,
    prompts,
    allowLogout,
    command,
    onProgress: showProgress(io.stderr),
    ...(timeoutMs === undefined ? {} : { limits: limitsFor(timeoutMs) }),
    ...(authMethod === undefined ? {} : { authMethod }),
    ...(io.signal && { signal: io.signal }),
  });
}

function checkClient(
  { words, protocol, only, repeat, timeoutMs, input }: CommandLine,
  io: CommandIo,
  command: string,
): Promise<Report> {
  if (words.length === 0) throw new ConformanceError('check_target', 'Nothing to check. Give the client after "--".');
  return runClientChecks(
    { kind: 'command', argv: words, ...(input === undefined ? {} : { input }) },
    {
      protocol: protocol === 'auto' ? 1 : protocol,
      only,
      repeat,
      command,
      onProgress: showProgress(io.stderr),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(io.signal && { signal: io.signal }),
    },
  );
}

function say({ stdout }: CommandIo, text: string): number {
  stdout.write(text);
  return EXIT_CODES.fine;
}

function exitCodeOf(report: Report, { signal, stderr }: CommandIo): number {
  if (signal?.aborted) return EXIT_CODES.stopped;
  if (hasFailed(report)) return EXIT_CODES.mustBroken;
  if (report.role === 'client' && !hasJudged(report)) {
    const { reason = '' } = report.results.find((result) => result.reason?.includes('{agent}')) ?? {};
    stderr.write(`Nothing could be told about this client. ${reason}\n`);
    return EXIT_CODES.cannotStart;
  }
  const needsAuthentication = report.results.some(({ outcome }) => outcome === 'needs_authentication');
  return needsAuthentication ? EXIT_CODES.needsAuthentication : EXIT_CODES.fine;
}

function explain(error: unknown, { stderr, command }: CommandIo): number {
  if (error instanceof ConformanceError) {
    stderr.write(`${error.message}\nSee ${command} --help.\n`);
    return EXIT_CODES.usage;
  }
  if (error instanceof SpawnError) {
    stderr.write(`${error.message}\n`);
    return EXIT_CODES.cannotStart;
  }
  throw error;
}
