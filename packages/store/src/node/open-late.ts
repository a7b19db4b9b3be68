import { Buffer } from 'node:buffer';
import { type Backend, checkBackend } from '../backend/operations.ts';
import { processOwners } from './process-owner.ts';

/** A backend that is only opened by the first call: until then nothing is loaded, and nothing of the machine is touched. */
export function openLate(
  openBackend: () => Promise<Backend>,
  facts: Pick<Backend, 'newOwner' | 'hasStrictLeases'>,
): Backend {
  let opening: Promise<Backend> | undefined;
  const open = (): Promise<Backend> => {
    opening ??= openBackend().catch((error: unknown) => {
      // The next call tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    call: async (name, input) => (await open()).call(name, input),
    watch: (onChange) => {
      let isStopped = false;
      let stop = (): void => {
        isStopped = true;
      };
      open().then(
        (opened) => {
          if (!isStopped) stop = opened.watch(onChange);
        },
        () => onChange(),
      );
      return () => stop();
    },
    check: async () => checkBackend(await open()),
    isShared: true,
    ...facts,
    hasEnded: (owner) => processOwners.stateOf(owner) === 'ended',
    byteLength: Buffer.byteLength,
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}
