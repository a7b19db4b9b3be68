import type { ClientSession, Transcript } from '@parley/client';
import type { Line } from '@parley/terminal';
import type { PastTurn } from '../view/past-turns.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { TranscriptPrinter } from './view/transcript-printer.ts';

/** What is finished and goes up into the scrollback: the conversation, and what we tell beside it, in their order. */
export class Scrollback {
  /** Lines that are finished and wait for the next frame. */
  readonly #ahead: Line[] = [];
  #printer = new TranscriptPrinter();

  get printer(): TranscriptPrinter {
    return this.#printer;
  }

  /** Goes on with another session. `isShown`: what was said in it stands there already. */
  follow(session: ClientSession, { pastTurns, isShown }: { pastTurns: readonly PastTurn[]; isShown: boolean }): void {
    this.#ahead.push(...this.#printer.takeAdded());
    this.#printer = new TranscriptPrinter(pastTurns);
    if (isShown) this.#printer.skip(session.transcript);
  }

  /** Adds lines of ours behind all that has happened before them. */
  add(kind: string, lines: readonly Line[], transcript: Transcript | undefined, view: ViewOptions): void {
    if (transcript) this.#ahead.push(...this.#printer.print(transcript, view));
    this.#printer.add(kind, lines);
  }

  /** What the conversation has brought since. */
  print(transcript: Transcript | undefined, view: ViewOptions): void {
    if (transcript) this.#ahead.push(...this.#printer.print(transcript, view));
  }

  /** Everything that is finished. */
  take(): Line[] {
    return [...this.#ahead.splice(0), ...this.#printer.takeAdded()];
  }

  /** The rest, finished or not. */
  finish(transcript: Transcript | undefined, view: ViewOptions): Line[] {
    return [
      ...this.#ahead.splice(0),
      ...(transcript ? this.#printer.finish(transcript, view) : this.#printer.takeAdded()),
    ];
  }
}
