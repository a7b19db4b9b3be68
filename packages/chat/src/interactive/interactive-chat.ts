import type { ClientSession } from '@parley/client';
import type { AvailableCommand } from '@parley/protocol';
import { type Line, STYLES, type Style } from '@parley/terminal';
import { loadHighlighter } from '@parley/terminal/highlight';
import { type Key, keyAfterEscape } from '@parley/terminal/input';
import { TerminalWindow, type View } from '@parley/terminal/screen';
import { CommandDoubt, joinCommands, readCommand } from '../commands/own-commands.ts';
import type { ChatEnvironment } from '../conversation/chat-environment.ts';
import type { ChatEnd, ChatOptions } from '../conversation/chat-options.ts';
import { Conversation } from '../conversation/conversation.ts';
import { nameOfAgent } from '../conversation/name-of-agent.ts';
import { ClipboardImages } from '../prompt/clipboard-image.ts';
import { Composer } from '../prompt/composer.ts';
import { FileIndex } from '../prompt/file-index.ts';
import { appendHistory } from '../prompt/history-file.ts';
import { readPaste } from '../prompt/read-paste.ts';
import { readShellCommand } from '../shell/shell-command.ts';
import type { ShellRun } from '../shell/shell-run.ts';
import { viewNote, wordError } from '../view/entry-view.ts';
import { chooseMarks, type Marks } from '../view/marks.ts';
import type { ViewOptions } from '../view/view-options.ts';
import type { ChatControls } from './chat-controls.ts';
import { chatHooks } from './chat-hooks.ts';
import { DisplaySettings } from './display-settings.ts';
import { GitWatch } from './git-watch.ts';
import { runOnScreen } from './interactive-commands.ts';
import { liveStateOf } from './live-state.ts';
import { viewLive, viewPromptMark } from './live-view.ts';
import { NoiseWatch } from './noise-watch.ts';
import { Notifier } from './notifier.ts';
import { OpenDialog } from './open-dialog.ts';
import { PersonShell } from './person-shell.ts';
import { PhaseWatch } from './phase-watch.ts';
import { runKey } from './run-key.ts';
import { Scrollback } from './scrollback.ts';
import type { TranscriptPrinter } from './view/transcript-printer.ts';
import { viewWelcome } from './view/welcome-view.ts';

/** The chat in a terminal. It owns the screen and the keyboard from `run` until that resolves. */
export class InteractiveChat implements ChatControls {
  readonly options: ChatOptions;
  readonly conversation: Conversation;
  readonly composer: Composer;
  readonly dialogs: OpenDialog;
  readonly window: TerminalWindow;
  readonly environment: ChatEnvironment;
  readonly display: DisplaySettings = new DisplaySettings();
  readonly images: ClipboardImages;
  readonly #marks: Marks;
  readonly #files: FileIndex;
  readonly #notifier: Notifier;
  readonly #phase = new PhaseWatch();
  readonly #noise = new NoiseWatch();
  readonly #shell = new PersonShell();
  readonly #stopOpening = new AbortController();
  /** Written before there was a session. */
  readonly #early: string[] = [];
  readonly #doubt = new CommandDoubt();
  readonly #scrollback = new Scrollback();
  #isFirstRun: boolean;
  #commands: readonly AvailableCommand[] | undefined;
  readonly #git: GitWatch;
  #leave: (end: ChatEnd) => void = () => {};
  #fail: (error: unknown) => void = () => {};

  constructor(options: ChatOptions, environment: ChatEnvironment, history: readonly string[]) {
    this.options = options;
    this.environment = environment;
    this.#isFirstRun = history.length === 0 && environment.historyFile !== undefined;
    this.#marks = chooseMarks(environment.env);
    this.images = new ClipboardImages(environment);
    this.window = new TerminalWindow({
      ...environment,
      hasColor: options.hasColor,
      notifyBy: options.notify?.by ?? 'bell',
      theme: options.theme ?? 'auto',
      draw: () => this.#draw(),
      onKey: (key) => this.#press(key),
      onEnd: (end) => this.leave(end),
    });
    this.#notifier = new Notifier({
      ...options.notify,
      call: (words) => this.window.notify(`${nameOfAgent(this.conversation)}: ${words}`),
    });
    this.#git = new GitWatch(options.session.cwd, () => this.window.redraw());
    this.#files = new FileIndex(options.session.cwd, () => {
      this.composer.refresh();
      this.window.redraw();
    });
    this.composer = new Composer({
      history,
      keys: options.keys ?? 'readline',
      rows: () => ({ width: this.window.width, prompt: viewPromptMark(this.view) }),
      readPaste: (text) => readPaste(text, options.session.cwd),
      queuesByTab: () => this.conversation.canSteer,
      sources: () => ({
        commands: joinCommands(this.conversation.transcript?.commands ?? []),
        findFiles: (query) => this.#files.find(query),
      }),
    });
    this.dialogs = new OpenDialog({
      conversation: () => this.conversation,
      printer: () => this.printer,
      view: () => this.view,
      onChange: () => this.window.redraw(),
      isDraftEmpty: () => this.composer.isEmpty,
      tell: (text) => this.submit(text, 'steer'),
      attempt: (work) => this.attempt(work),
    });
    this.conversation = new Conversation(options, chatHooks(this, this.#phase, this.#stopOpening.signal), {
      onChange: () => this.window.redraw(),
      onSession: (session, isShown) => this.#welcome(session, isShown),
      onLost: (words) =>
        this.note(`${words}\nYour next prompt starts the agent again; /quit leaves.`.trim(), STYLES.bad),
    });
  }

  /** Resolves when the person leaves; rejects when there is nothing to talk to. */
  async run(): Promise<ChatEnd> {
    const left = new Promise<ChatEnd>((resolve, reject) => {
      this.#leave = resolve;
      this.#fail = reject;
    });
    this.window.enter();
    try {
      void this.#open();
      return await left;
    } finally {
      this.window.leave(this.#scrollback.finish(this.conversation.transcript, this.view));
      this.#stopOpening.abort();
      this.shell?.stop();
      await Promise.all([this.conversation.close(), this.images.remove()]);
    }
  }

  leave(end: ChatEnd = 'left'): void {
    this.#leave(end);
  }

  get shell(): ShellRun | undefined {
    return this.#shell.running;
  }

  get printer(): TranscriptPrinter {
    return this.#scrollback.printer;
  }

  get view(): ViewOptions {
    return {
      width: this.window.width,
      marks: this.#marks,
      cwd: this.options.session.cwd,
      home: this.environment.env.HOME,
      isDetailed: this.display.isDetailed,
      showsAll: 'ctrl+o',
      showsThoughts: this.display.showsThoughts,
      theme: this.options.hasColor ? this.window.theme : undefined,
      now: Date.now(),
    };
  }

  note = (text: string, style: Style = STYLES.dim): void => {
    this.print('note', viewNote(text, this.view, style));
  };

  print(kind: string, lines: readonly Line[]): void {
    this.#scrollback.add(kind, lines, this.conversation.transcript, this.view);
    this.window.redraw();
  }

  async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.note(wordError(error), STYLES.bad);
    }
    this.window.redraw();
  }

  /** Sends what was written, or does the command it is. What cannot be sent comes back. */
  submit(text: string, whenBusy: 'queue' | 'steer' = 'queue'): void {
    // It is loaded while the agent thinks, and is there when the first code comes.
    if (this.options.hasColor) void loadHighlighter();
    const { historyFile } = this.environment;
    if (historyFile !== undefined) void appendHistory(historyFile, text);
    const command = readCommand(text, this.conversation.transcript);
    if (command) return runOnScreen(command, this);
    const forShell = readShellCommand(text);
    if (forShell) return void this.attempt(() => this.#shell.run(forShell, this));
    if (!this.conversation.session && this.#phase.words !== undefined) {
      this.#early.push(text);
      return;
    }
    void this.attempt(async () => {
      try {
        // Whoever writes to an agent that is gone wants it back.
        if (this.conversation.session?.state === 'lost') await this.conversation.restart();
        await this.conversation.send(text, whenBusy);
      } catch (error) {
        if (this.composer.isEmpty) this.composer.setText(text);
        throw error;
      }
    });
  }

  sendEarly(): void {
    for (const text of this.#early.splice(0)) this.submit(text);
  }

  get queue(): readonly string[] {
    return [...this.#early, ...this.conversation.queue];
  }

  takeBack(): string | undefined {
    return this.#early.pop() ?? this.conversation.takeBack();
  }

  stop(): void {
    const queued = this.conversation.stop();
    if (queued.length > 0) this.composer.setText([...queued, this.composer.editor.text].filter(Boolean).join('\n'));
  }

  async #open(): Promise<void> {
    this.#phase.begin(`Starting ${this.options.agent.title}`);
    try {
      await this.#git.read();
      const { options } = this;
      // An old conversation comes at once, with its code.
      if (options.resume && options.hasColor) await loadHighlighter();
      await this.conversation.open({ target: options, resume: options.resume, pastTurns: options.pastTurns });
      this.#phase.end();
      if (this.options.prompt !== undefined) this.submit(this.options.prompt);
      this.sendEarly();
    } catch (error) {
      this.#fail(error);
    }
    this.window.redraw();
  }

  #welcome(session: ClientSession, isShown: boolean): void {
    this.#phase.end();
    this.#scrollback.follow(session, { pastTurns: this.conversation.pastTurns, isShown });
    const id = this.options.shownId?.(session.id) ?? session.id;
    const welcome = { session, id, conversation: this.conversation, isFirstRun: this.#isFirstRun };
    this.printer.add('note', viewWelcome(welcome, this.view));
    this.#isFirstRun = false;
  }

  #press(key: Key): void {
    const { current } = this.dialogs;
    const afterEscape = current?.canClose || (!current && this.composer.takesEscape) ? keyAfterEscape(key) : undefined;
    if (afterEscape) {
      this.#press({ type: 'key', name: 'escape' });
      return this.#press(afterEscape);
    }
    const isStop = key.type === 'key' && key.name === 'ctrl+c';
    if (!isStop) this.display.clearHint();
    if (!this.dialogs.press(key) && !runKey(key, this)) {
      const step = this.composer.press(key);
      if (step.type === 'submit') this.#takeWritten(step.text, step.isQueued ? 'queue' : 'steer');
    }
    this.window.drawNow();
  }

  #takeWritten(text: string, whenBusy: 'queue' | 'steer'): void {
    const { session, transcript } = this.conversation;
    const isForUs = readCommand(text, transcript) ?? readShellCommand(text);
    if (!isForUs && this.dialogs.reject(text)) return;
    const doubt = session && this.#doubt.look(text, transcript?.commands ?? []);
    if (doubt === undefined) return this.submit(text, whenBusy);
    this.composer.setText(text);
    this.note(`${doubt} Enter once more sends it to the agent as it is.`);
  }

  #draw(): View {
    const { conversation, window, view } = this;
    const { transcript, queue, isBusy } = conversation;
    const noise = this.#noise.look(conversation.connection);
    if (noise !== undefined) this.note(noise);
    this.#scrollback.print(transcript, view);
    // A question comes after all that was said before it.
    if (this.printer.isBehind(view)) window.redraw();
    else this.dialogs.sync();
    if (transcript?.commands !== this.#commands) this.composer.refresh();
    this.#commands = transcript?.commands;
    const { questions } = conversation;
    this.#git.look(isBusy);
    this.#notifier.look({ questions, turn: transcript?.turns.at(-1), isBusy: isBusy || queue.length > 0 });
    const state = liveStateOf(this, { branch: this.#git.words, phase: this.#phase.words }, view);
    const waiting = questions.length > 0 ? `(${questions.length}!) ` : '';
    return {
      finished: this.#scrollback.take(),
      live: viewLive(state, view),
      title: `${waiting}${transcript?.title ?? nameOfAgent(this.conversation)}`,
      // While the agent waits for the person nothing turns, and nothing is drawn.
      isMoving: this.#phase.words !== undefined || this.shell !== undefined || (isBusy && questions.length === 0),
    };
  }
}
