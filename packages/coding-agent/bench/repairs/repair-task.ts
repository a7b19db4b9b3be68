import type { FakeEvent, Reply, WireName } from '@parley/testing/fake-model-server';

/** What the model of a task has before it when it answers. */
export interface Asked {
  /** What the last call came to, or what was said, as the model reads it. */
  readonly last: string;
  /** The whole request. */
  readonly body: string;
}

/** One answer of the model. It throws when it was not told what it needs for the next step. */
export type Step = Reply | ((asked: Asked) => Reply);

/** A small repair, with a model that behaves as real ones do on the way to it. */
export interface RepairTask {
  readonly name: string;
  readonly wire: WireName;
  readonly files: Readonly<Record<string, string>>;
  readonly prompt: string;
  readonly steps: readonly Step[];
  /** What the files are to hold in the end. */
  readonly expected: Readonly<Record<string, string>>;
}

/** An answer that calls tools. */
export function calls(...all: readonly (readonly [name: string, input: object])[]): Reply {
  return { events: all.map(([name, input]): FakeEvent => ({ type: 'tool_call', name, input })) };
}

/** The next answer, once the model was told what it needs for it. */
export function once(told: string | RegExp, reply: Reply | ((asked: Asked) => Reply)): Step {
  return (asked) => {
    const isTold = typeof told === 'string' ? asked.last.includes(told) : told.test(asked.last);
    if (!isTold) throw new Error(`the model was not told ${String(told)}, but: ${asked.last.slice(-500)}`);
    return typeof reply === 'function' ? reply(asked) : reply;
  };
}
