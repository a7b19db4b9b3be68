/** Who sent a frame. */
export type Side = 'agent' | 'client';

/** One frame of a trace. */
export interface Frame {
  /** Counted from 1, as reports show it. */
  readonly number: number;
  /** Since the trace began. */
  readonly atMs: number;
  readonly from: Side;
  /** Cut to a readable length. */
  readonly text: string;
  readonly bytes: number;
  /** The JSON value, when it was one. */
  readonly value?: unknown;
  /** What was wrong with it as a frame. */
  readonly fault?: FrameFault;
}

/** `noise`: no attempt at JSON. `torn`: begins like JSON and is not. `encoding`: not UTF-8. `unterminated`: no newline. */
export type FrameFault = 'noise' | 'torn' | 'encoding' | 'unterminated';

/** Text of a frame that is kept for reports. */
export const MAX_FRAME_TEXT = 600;

/** Frames that one trace keeps; later ones are counted only. */
export const MAX_TRACE_FRAMES = 20_000;

/** Everything that crossed one wire, in order, with time and direction. */
export class Trace {
  /** What the wire was opened for. */
  readonly name: string;
  readonly frames: Frame[] = [];
  readonly #startedAt = performance.now();
  readonly #onFrame: ((frame: Frame) => void) | undefined;
  #count = 0;

  constructor(name: string, onFrame?: (frame: Frame) => void) {
    this.name = name;
    this.#onFrame = onFrame;
  }

  /** How many frames there were, kept or not. */
  get count(): number {
    return this.#count;
  }

  add(from: Side, text: string, facts: Pick<Frame, 'bytes' | 'value' | 'fault'>): Frame {
    this.#count += 1;
    const shown = text.length > MAX_FRAME_TEXT ? `${text.slice(0, MAX_FRAME_TEXT)}… (${facts.bytes} bytes)` : text;
    const atMs = Math.round((performance.now() - this.#startedAt) * 10) / 10;
    const frame: Frame = { number: this.#count, atMs, from, text: shown, ...facts };
    if (this.frames.length < MAX_TRACE_FRAMES) this.frames.push(frame);
    this.#onFrame?.(frame);
    return frame;
  }

  /** The frames after the first `count`. */
  since(count: number): readonly Frame[] {
    return this.frames.filter(({ number }) => number > count);
  }
}

/** `→ #14 session/cancel {"sessionId":"s1"}`: one frame in one line, seen from the checker. */
export function formatFrame(frame: Frame, ownSide: Side): string {
  const arrow = frame.from === ownSide ? '→' : '←';
  const fault = frame.fault ? ` [${frame.fault}]` : '';
  return `${arrow} #${frame.number} ${frame.atMs} ms${fault} ${frame.text}`;
}
