import { once } from 'node:events';
import { lstat, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { CliError } from '@parley/host/command-line';

/** Removes a socket that a server has left behind which was killed. One on which somebody listens is an error, and so is any other file. */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket())
    throw new CliError('not_available', `${path} is there already, and is no socket.`, {
      next: ['--socket <another>'],
    });
  const socket = connect(path);
  const isServed = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (!isServed) return rm(path, { force: true });
  throw new CliError('not_available', `Another program listens on ${path}.`, { next: ['--socket <another>'] });
}
