import { isReaderGone } from '../output/output-fault.ts';
import type { CommandContext } from './command-context.ts';
import { CliError } from './errors.ts';
import type { ExitName } from './exit-codes.ts';
import { hurry } from './leave.ts';
import { outputError } from './output-error.ts';

/** Everything that ends a run from this side: signals, the timeout, and a reader that is gone. */
export interface Interruption extends Disposable {
  /** Aborts at the first of them, with the error that tells which. */
  readonly signal: AbortSignal;
  /** Aborts when the person insists: do not wait for the agent any longer. */
  readonly insisted: AbortSignal;
  /** What the exit code should tell; undefined while nothing has ended the run. */
  readonly exit: ExitName | undefined;
  /** Does what a second signal does. */
  readonly insist: () => void;
  /** Ends the run for a reason of our own. */
  end(error: CliError): void;
}

export interface InterruptionOptions {
  readonly timeoutMs?: number | undefined;
  readonly onInterrupt?: (message: string) => void;
  /** What SIGHUP does. Default: it ends the run, since the terminal is gone. */
  readonly onHangup?: () => void;
}

/** Watches until it is disposed. A third signal ends the process at once; the watchdog then ends the agent. */
export function watchInterruption(
  context: Pick<CommandContext, 'stdout'>,
  { timeoutMs, onInterrupt, onHangup }: InterruptionOptions = {},
): Interruption {
  const first = new AbortController();
  const second = new AbortController();
  let exit: ExitName | undefined;
  let count = 0;

  const interrupt = (error: CliError, name: ExitName): void => {
    count += 1;
    exit ??= name;
    if (!first.signal.aborted) return first.abort(error);
    if (!second.signal.aborted) return second.abort(error);
    if (count > 2) process.exit(name === 'terminated' ? 143 : 130);
  };
  const onInt = (): void => {
    onInterrupt?.(first.signal.aborted ? 'stopping at once' : 'stopping; press Ctrl-C again to stop at once');
    hurry();
    interrupt(new CliError('interrupted', 'Interrupted.'), 'interrupted');
  };
  const onTerm = (): void => {
    hurry();
    interrupt(new CliError('interrupted', 'Ended by a signal.'), 'terminated');
  };
  const onOutputError = (fault: NodeJS.ErrnoException): void => {
    if (first.signal.aborted) return;
    if (isReaderGone(fault)) interrupt(new CliError('interrupted', 'Nobody reads the output any more.'), 'interrupted');
    else interrupt(outputError(fault), 'outputFailed');
  };
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(
          () => interrupt(new CliError('timeout', `Gave up after ${timeoutMs / 1000} s (--timeout).`), 'timeout'),
          timeoutMs,
        );
  const onHup = onHangup ?? onTerm;
  process.on('SIGINT', onInt).on('SIGTERM', onTerm).on('SIGHUP', onHup);
  context.stdout.on('error', onOutputError);

  return {
    signal: first.signal,
    insisted: second.signal,
    get exit() {
      return exit;
    },
    insist: () => second.abort(first.signal.reason),
    end: (error) => interrupt(error, error.exit),
    [Symbol.dispose]() {
      clearTimeout(timer);
      process.off('SIGINT', onInt).off('SIGTERM', onTerm).off('SIGHUP', onHup);
      context.stdout.off('error', onOutputError);
    },
  };
}
