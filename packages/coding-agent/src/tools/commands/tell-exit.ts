import type { CommandExit } from '../../operations/operations.ts';

/** How a command ended, in words. */
export function tellExit({ exitCode, signal }: CommandExit): string {
  return signal ? `ended by ${signal}` : `exit code ${exitCode}`;
}
