import { isatty, type ReadStream, type WriteStream } from 'node:tty';

export interface HungUpTerminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/**
 * Prepares the end of a program whose terminal may have been closed. What is still written to it is lost without a word.
 * Node gives the terminal its settings back when it exits, and aborts with a core dump when there is none any more; so
 * the program then ends by the signal that the closed terminal has sent.
 */
export function prepareHangUp({ input, output }: HungUpTerminal): void {
  output.on('error', () => {});
  const { fd } = input as ReadStream & { fd?: number };
  process.once('exit', () => {
    if (process.platform === 'win32' || fd === undefined || isatty(fd)) return;
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });
}
