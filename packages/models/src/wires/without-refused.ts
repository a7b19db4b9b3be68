import { ModelError } from '../model/errors.ts';
import type { Model, ModelEvent, ModelRequest } from '../model/model.ts';

export interface Refusable {
  /** Whether a request asks for it at all. Default: every one does. */
  readonly isAskedFor?: (request: ModelRequest) => boolean;
  /** What the server says of it when it refuses a request because of it. */
  readonly refusal: RegExp;
  /** From now on requests are written without it, or with as much of it as the server's words allow. */
  readonly leaveOut: (words: RegExpExecArray) => void;
  /** What the person is told when it has been left out. Default: nothing, because nothing is missed. */
  readonly remark?: (request: ModelRequest) => Extract<ModelEvent, { type: 'remark' }> | undefined;
}

/**
 * The same model, which asks again without something that its server refuses, and never asks for it after that. Nobody knows which
 * of the many servers take what only some have; one that does not says so.
 */
export function withoutRefused(model: Model, refusable: Refusable): Model {
  const { isAskedFor = () => true, refusal, leaveOut, remark } = refusable;
  let isLeftOut = false;
  return {
    ...model,
    async *stream(request, options) {
      const hasAsked = !isLeftOut && isAskedFor(request);
      try {
        yield* model.stream(request, options);
      } catch (error) {
        const isRefusal = hasAsked && error instanceof ModelError && error.code === 'invalid_request';
        const words = isRefusal ? refusal.exec(error.message) : null;
        if (!words) throw error;
        isLeftOut = true;
        leaveOut(words);
        const said = remark?.(request);
        if (said) yield said;
        yield* model.stream(request, options);
      }
    },
  };
}

/** A request that leaves the depth of thinking to the model. */
export function withoutThinking({ thinking: _, ...request }: ModelRequest): ModelRequest {
  return request;
}
