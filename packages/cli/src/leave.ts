import type { CliContext } from './context.ts';

/** How long a reader that does not read may hold up our end. */
const MAX_FLUSH_MS = 2000;

/** Ends the process once everything it said has been written, whatever else may still be open. */
export function leave(exitCode: number, { stdout, stderr }: CliContext): void {
  process.exitCode = exitCode;
  const written = [stdout, stderr].map(
    (stream) =>
      new Promise<void>((resolve) => {
        if (stream.destroyed || stream.writableLength === 0) resolve();
        else stream.write('', () => resolve());
      }),
  );
  setTimeout(() => process.exit(exitCode), MAX_FLUSH_MS).unref();
  void Promise.all(written).then(() => process.exit(exitCode));
}
