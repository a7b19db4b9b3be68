import { exitCode, type Interruption, leave } from '@parley/host/command-line';
import type { CliContext } from '../context.ts';
import type { RunSettings } from './settings/run-settings.ts';
import { cancelGraceMs, INSISTED_MS, SAY_AFTER_MS, TERMINATED } from './stop-limits.ts';

export interface BoundEndOptions {
  readonly interruption: Interruption;
  readonly settings: RunSettings;
  readonly context: CliContext;
  readonly isPrompting: () => boolean;
  readonly say: (text: string) => void;
  /** Tells how the run ended; resolves to the exit code. */
  readonly finish: () => Promise<number>;
}

/** Bounds how long the program goes on once it is to end, whatever its agent does. The watchdog ends what is left of the agent. */
export function boundEnd({ interruption, settings, context, isPrompting, say, finish }: BoundEndOptions): void {
  const { signal, insisted } = interruption;
  const after = (ms: number, end: () => void): void => void setTimeout(end, ms).unref();
  const endNow = async (): Promise<void> => leave(await finish(), context);
  let isOurs = false;
  insisted.addEventListener('abort', () => {
    if (!isOurs) after(INSISTED_MS, () => void endNow());
  });
  signal.addEventListener('abort', () => {
    const { exit } = interruption;
    const isTerminated = exit === 'terminated';
    const graceMs = Math.min(cancelGraceMs(settings), isTerminated ? TERMINATED.turnMs : Number.POSITIVE_INFINITY);
    after(SAY_AFTER_MS, () => {
      if (!isPrompting() || insisted.aborted) return;
      const rest = Math.ceil((graceMs - SAY_AFTER_MS) / 1000);
      say(`Waiting for the agent to stop (${rest} s more); press Ctrl-C again to stop now.`);
    });
    if (!isTerminated) return;
    after(TERMINATED.turnMs, () => {
      isOurs = true;
      interruption.insist();
    });
    after(TERMINATED.agentMs, () => void endNow());
    after(TERMINATED.outputMs, () => process.exit(exitCode(exit, settings.exitCodes)));
  });
}
