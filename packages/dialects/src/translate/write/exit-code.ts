import { isRecord } from '../../fields.ts';
import { keptFact } from '../kept-facts.ts';

/** POSIX numbers of the signals that end processes. */
const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

/** One number for a canonical exit status, as a shell would tell it; null while the process runs (S4:785). */
export function writeExitCode(exitStatus: unknown): number | null {
  if (!isRecord(exitStatus)) return null;
  const { exitCode, signal } = exitStatus;
  if (typeof exitCode === 'number') return exitCode;
  const kept = keptFact(exitStatus, 'exitCode');
  if (typeof kept === 'number') return kept;
  const name = typeof signal === 'string' && Object.hasOwn(SIGNALS, signal) ? signal : '';
  return 128 + (SIGNALS[name] ?? 0);
}
