import { createByteWire } from './byte-wire.ts';
import type { Wire } from './wire.ts';

/** This process's own stdin and stdout as a wire, for the agent that a client under test starts. */
export function ownStdioWire(): Wire {
  const { stdin, stdout } = process;
  stdout.on('error', () => {});
  return createByteWire({
    send: (bytes) => void stdout.write(bytes),
    end: () => stdout.end(),
    onBytes: (listener) => void stdin.on('data', listener),
    pause: () => void stdin.pause(),
    resume: () => void stdin.resume(),
    ended: new Promise((resolve) => {
      stdin.once('end', () => resolve({ how: 'closed its side' }));
      stdin.once('error', () => resolve({ how: 'broke the pipe' }));
    }),
    stderr: () => '',
    close: async () => process.exit(0),
  });
}
