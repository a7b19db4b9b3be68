import { v1 } from '@parley/protocol';
import { v1Unstable } from '@parley/protocol/unstable';
import { asNotification, asRequest } from '../probe/message.ts';
import type { Frame } from '../probe/trace.ts';
import type { Finding } from './finding.ts';

/** Whether each method that was called is one of ACP, or begins as those of one's own must. */
export function* findForeignMethods(frames: Iterable<Frame>): Iterable<Finding> {
  for (const frame of frames) {
    const method = asRequest(frame)?.method ?? asNotification(frame)?.method;
    if (method === undefined) continue;
    const isKnown =
      method.startsWith('_') || method.startsWith('$/') || method in v1.methods || method in v1Unstable.methods;
    yield isKnown
      ? { frame }
      : { frame, problem: { expected: 'a method of ACP, or one that begins with "_"', got: method } };
  }
}
