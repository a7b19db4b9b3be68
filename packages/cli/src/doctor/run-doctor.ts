import { EXIT_CODES, type Finding, watchInterruption } from '@parley/host/command-line';
import type { CliContext } from '../context.ts';
import type { SharedFlags } from '../flags/shared-flags.ts';
import { checkAgent } from './check-agent.ts';
import { checkMachine } from './check-machine.ts';
import { createPrinter } from './print-finding.ts';

export interface DoctorFlags extends Omit<SharedFlags, 'agent'> {
  /** The agent of `--agent`; false with `--no-agent`. */
  readonly agent?: string | boolean;
  readonly json?: boolean;
}

/** Looks at everything, prints what it finds, and returns 1 when something is wrong. */
export async function runDoctor(words: readonly string[], flags: DoctorFlags, context: CliContext): Promise<number> {
  using interruption = watchInterruption(context);
  const isJson = flags.json === true || flags.format === 'json';
  const print = createPrinter(flags, context);
  const findings: Finding[] = [];
  const add = (found: readonly Finding[]): void => {
    findings.push(...found);
    if (!isJson) for (const finding of found) print(finding);
  };
  add(await checkMachine(context));
  const named = words.length === 0 && typeof flags.agent === 'string' ? [flags.agent] : words;
  if (flags.agent !== false) add(await checkAgent(named, flags, context, interruption.signal));
  const hasFailed = findings.some(({ verdict }) => verdict === 'fail');
  if (isJson) context.stdout.write(`${JSON.stringify({ schema: 1, isHealthy: !hasFailed, findings })}\n`);
  return hasFailed ? EXIT_CODES.failed.code : EXIT_CODES.ok.code;
}
