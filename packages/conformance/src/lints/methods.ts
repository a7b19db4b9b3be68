import { asNotification, asRequest } from '../messages/message.ts';
import type { Frame } from '../messages/trace.ts';
import type { Protocol } from '../versions/protocol.ts';
import { wordsOf } from '../versions/words.ts';
import type { Finding } from './finding.ts';

/** Whether each method that was called is one of ACP, or begins as those of one's own must. */
export function* findForeignMethods(frames: Iterable<Frame>, protocol: Protocol): Iterable<Finding> {
  const { schemas } = wordsOf(protocol);
  for (const frame of frames) {
    const method = asRequest(frame)?.method ?? asNotification(frame)?.method;
    if (method === undefined) continue;
    const isKnown =
      method.startsWith('_') ||
      method.startsWith('$/') ||
      schemas.some(({ methods }) => Object.hasOwn(methods, method));
    yield isKnown
      ? { frame }
      : { frame, problem: { expected: 'a method of ACP, or one that begins with "_"', got: method } };
  }
}
