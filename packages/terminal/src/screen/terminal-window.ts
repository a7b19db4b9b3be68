import type { ReadStream, WriteStream } from 'node:tty';
import type { Key } from '../input/key.ts';
import { Keyboard } from '../input/keyboard.ts';
import type { Line } from '../text/styled-text.ts';
import { ASK_BACKGROUND, guessTheme, readBackground, type Theme } from '../theme/theme.ts';
import { Frames } from './frames.ts';
import { prepareHangUp } from './hang-up.ts';
import { type NotifyBy, notification } from './notification.ts';
import { RawTerminal } from './raw-terminal.ts';
import { type LiveRegion, Screen } from './screen.ts';
import { doesReflow, isAsciiOnly, knowsQuestions } from './terminal-kind.ts';
import { refreshSize } from './window-size.ts';

/** What the window shows. */
export interface View {
  /** Lines that are printed for good. */
  readonly finished: readonly Line[];
  readonly live: LiveRegion;
  /** The title of the window. */
  readonly title: string;
  /** True while something turns, and the view changes though nothing happens. */
  readonly isMoving: boolean;
}

export interface TerminalWindowOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hasColor: boolean;
  /** How the person is called when the window is not in front. Default: not at all. */
  readonly notifyBy?: NotifyBy;
  /** Light or dark; `auto` asks the terminal. Default: `auto`. */
  readonly theme?: 'auto' | 'light' | 'dark';
  readonly draw: () => View;
  readonly onKey: (key: Key) => void;
  /** The terminal or the system wants us to end. */
  readonly onEnd: (end: 'hungUp' | 'terminated') => void;
}

/** While something moves, the view is drawn this often. */
const MOVE_MS = 250;
/** So long a terminal has for an answer; over a slow line it takes a while. */
const ANSWER_MS = 10_000;

/** The terminal as a whole: screen, keyboard, window and signals, from `enter` to `leave`. */
export class TerminalWindow {
  readonly #options: TerminalWindowOptions;
  readonly #terminal: RawTerminal;
  readonly #screen: Screen;
  readonly #frames: Frames;
  readonly #keyboard: Keyboard;
  readonly #listeners: readonly Listener[];
  #mover: NodeJS.Timeout | undefined;
  #moves = 0;
  #isLent = false;
  /** A terminal that never tells is taken to be in front. */
  #isInFront = true;
  #theme: Theme;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(options: TerminalWindowOptions) {
    const { input, output, env, hasColor, notifyBy = 'off', onKey, onEnd } = options;
    this.#options = options;
    this.#terminal = new RawTerminal({ input, output, term: env.TERM, wantsFocus: notifyBy !== 'off' });
    this.#screen = new Screen({
      surface: surfaceOf(output),
      hasColor,
      isAscii: isAsciiOnly(env),
      doesReflow: doesReflow(env),
    });
    this.#theme = guessTheme(env, options.theme);
    this.#screen.setTheme(this.#theme);
    this.#frames = new Frames(() => this.#draw(), {
      isBusy: () => output.writableNeedDrain,
      onceFree: (callback) => output.once('drain', callback),
    });
    this.#keyboard = new Keyboard(input, {
      onKey,
      onFocus: (isInFront) => {
        this.#isInFront = isInFront;
      },
      onAnswer: (answer) => this.#takeAnswer(answer),
    });
    const onHangUp = (): void => {
      prepareHangUp({ input, output });
      onEnd('hungUp');
    };
    this.#listeners = [
      [output, 'resize', () => this.redraw()],
      [output, 'error', onHangUp],
      [input, 'end', onHangUp],
      [input, 'error', onHangUp],
      [process, 'SIGHUP', onHangUp],
      [process, 'SIGTERM', () => onEnd('terminated')],
      [process, 'SIGINT', () => onKey({ type: 'key', name: 'ctrl+c' })],
    ];
  }

  get width(): number {
    return this.#screen.width;
  }

  get rows(): number {
    return this.#screen.rows;
  }

  /** Counts up while something moves. */
  get moves(): number {
    return this.#moves;
  }

  enter(): void {
    for (const [emitter, event, listener] of this.#listeners) emitter.on(event, listener);
    this.#terminal.enter();
    this.#keyboard.start();
    if (this.#asksBackground) {
      this.#askedAt = performance.now();
      this.#options.output.write(ASK_BACKGROUND);
    }
    this.redraw();
  }

  /** What the terminal looks like. */
  get theme(): Theme {
    return this.#theme;
  }

  get #asksBackground(): boolean {
    const { theme = 'auto', hasColor, env } = this.#options;
    return theme === 'auto' && hasColor && knowsQuestions(env.TERM);
  }

  /** An answer that comes late is to somebody else's question. */
  #takeAnswer(answer: string): void {
    const background = readBackground(answer);
    if (background === undefined || performance.now() - this.#askedAt > ANSWER_MS) return;
    this.#setTheme({ ...this.#theme, background });
    this.redraw();
  }

  #setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#screen.setTheme(theme);
  }

  /** Prints what is left and gives the terminal back. */
  leave(rest: readonly Line[]): void {
    this.#keyboard.stop();
    this.#frames.stop();
    this.#stopMoving();
    this.#screen.print(rest);
    this.#terminal.leave();
    for (const [emitter, event, listener] of this.#listeners) emitter.off(event, listener);
  }

  /** Calls the person, unless the window is in front of them. */
  notify(text: string): void {
    const { output, env, notifyBy = 'off' } = this.#options;
    if (this.#isInFront || this.#isLent || notifyBy === 'off') return;
    output.write(notification(text, notifyBy, env));
  }

  /** Draws soon. */
  redraw(): void {
    this.#frames.request();
  }

  /** Draws at once, for what a person typed. */
  drawNow(): void {
    this.#frames.drawNow();
  }

  /** Draws the live region anew, for when something else has written into it. */
  redrawAll(): void {
    this.#screen.clear();
    this.#frames.drawNow();
  }

  /** Gives the terminal to somebody else for a while. */
  async lend<Result>(use: () => Promise<Result>): Promise<Result> {
    this.#isLent = true;
    this.#stopMoving();
    this.#screen.clear();
    this.#keyboard.stop();
    this.#terminal.leave();
    try {
      return await use();
    } finally {
      this.#terminal.enter();
      this.#keyboard.start();
      this.#isLent = false;
      this.#isInFront = true;
      this.redraw();
    }
  }

  /** Stops this program as ctrl+z does, until the shell lets it go on. */
  async suspend(): Promise<void> {
    if (process.platform === 'win32') return;
    await this.lend(
      () =>
        new Promise<void>((resolve) => {
          process.once('SIGCONT', () => resolve());
          // The whole group, as the terminal does it: the shell waits for npm, or whatever has started us.
          process.kill(0, 'SIGTSTP');
        }),
    );
  }

  #draw(): void {
    if (this.#isLent) return;
    refreshSize(this.#options.output);
    const { finished, live, title, isMoving } = this.#options.draw();
    // Making the view took a moment. What no longer fits is broken or cut, and drawn anew after the resize event.
    refreshSize(this.#options.output);
    this.#terminal.setTitle(title);
    this.#screen.render(finished, live);
    if (!isMoving) return this.#stopMoving();
    this.#mover ??= setInterval(() => {
      this.#moves += 1;
      this.redraw();
    }, MOVE_MS);
  }

  #stopMoving(): void {
    clearInterval(this.#mover);
    this.#mover = undefined;
  }
}

type Listener = readonly [emitter: NodeJS.EventEmitter, event: string, listener: () => void];

function surfaceOf(output: WriteStream): { columns: number; rows: number; write(bytes: string): void } {
  return {
    get columns() {
      return output.columns || 80;
    },
    get rows() {
      return output.rows || 24;
    },
    write: (bytes) => {
      output.write(bytes);
    },
  };
}
