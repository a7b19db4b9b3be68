import { needsRoom, untilRoom } from '@parley/host/output';
import { cleanText, textOfLine } from '@parley/terminal';
import { CommandDoubt, type OwnCommand, readCommand, readOwnCommand } from '../commands/own-commands.ts';
import type { ChatEnvironment } from '../conversation/chat-environment.ts';
import type { ChatEnd, ChatOptions } from '../conversation/chat-options.ts';
import { Conversation } from '../conversation/conversation.ts';
import { askInLines, type Lines } from '../questions/ask-in-lines.ts';
import { readShellCommand, type ShellCommand, tellShellRun } from '../shell/shell-command.ts';
import { runShell, type ShellRun } from '../shell/shell-run.ts';
import { chooseMarks } from '../view/marks.ts';
import type { ViewOptions } from '../view/view-options.ts';
import { LineReader } from './line-reader.ts';
import { listenToEnd } from './listen-to-end.ts';
import { runInLines } from './plain-commands.ts';
import { plainHooks } from './plain-hooks.ts';
import { PlainPrinter } from './plain-printer.ts';

/** Lines are not broken here; whoever reads them does that. */
const WIDTH = 1000;
/** How long a part of a line may wait for the rest of it. */
const REST_MS = 1000;

/** The chat as plain lines, one after the other, for pipes, dumb terminals and screen readers. Nothing is ever repainted. */
export class PlainChat {
  readonly #options: ChatOptions;
  readonly #environment: ChatEnvironment;
  readonly #reader: LineReader;
  readonly #isTerminal: boolean;
  readonly #leaving = new AbortController();
  #resolveEnded: () => void = () => {};
  /** Resolves when the chat is ended from outside: then no turn is waited for. */
  readonly #ended = new Promise<void>((resolve) => {
    this.#resolveEnded = resolve;
  });
  readonly conversation: Conversation;
  #printer = new PlainPrinter();
  #asking: string | undefined;
  readonly #doubt = new CommandDoubt();
  #rest: NodeJS.Timeout | undefined;
  #end: ChatEnd = 'left';
  #isSlowed = false;
  #shell: ShellRun | undefined;
  /** The line is there that asks the person to write. */
  #isInviting = false;

  constructor(options: ChatOptions, environment: ChatEnvironment) {
    this.#options = options;
    this.#environment = environment;
    this.#isTerminal = environment.input.isTTY === true;
    this.#reader = new LineReader(environment.input);
    const hooks = plainHooks({
      agentTitle: options.agent.title,
      say: (line) => this.#say(line),
      lines: () => this.#lines(this.#leaving.signal),
      readSecret: (prompt) => this.#readSecret(prompt),
      signal: this.#leaving.signal,
    });
    this.conversation = new Conversation(options, hooks, {
      onChange: () => this.#print(),
      onSession: (session) => {
        this.#printer = new PlainPrinter(this.conversation.pastTurns);
        this.#say(`note: session ${options.shownId?.(session.id) ?? session.id}`);
      },
      onLost: (words) => {
        if (words !== '') this.#say(`error: ${words}`);
        if (this.#isTerminal) this.#say('note: type /restart to start the agent again, or /quit');
        else this.#leave('agentDied');
      },
    });
  }

  async run(): Promise<ChatEnd> {
    const stopListening = listenToEnd(this.#environment.output, {
      interrupt: () => this.#interrupt(),
      leave: (end) => this.#leaveNow(end),
      isLeaving: () => this.#leaving.signal.aborted,
    });
    try {
      const help = this.#isTerminal ? '?' : '/help';
      this.#say(`note: plain mode, talking to ${this.#options.agent.title}; ${help} lists commands`);
      const { resume, pastTurns } = this.#options;
      await this.conversation.open({ target: this.#options, resume, pastTurns });
      if (this.#options.prompt !== undefined) await this.#take(this.#options.prompt);
      while (!this.#leaving.signal.aborted) {
        if (!this.#isTerminal && this.conversation.session?.state === 'lost') return 'agentDied';
        this.#invite();
        const line = await this.#reader.next(this.#leaving.signal);
        // What comes last stands in a line of its own.
        if (line === undefined && this.#isInviting) this.#environment.output.write('\n');
        if (line === undefined) break;
        this.#isInviting = false;
        if (!this.#isTerminal && line.trim() !== '') this.#say(`you: ${line}`);
        await this.#take(line);
      }
      return this.#end;
    } finally {
      stopListening();
      clearTimeout(this.#rest);
      this.#leaving.abort();
      this.#reader.close();
      await this.conversation.close();
    }
  }

  /** Asks the person to write, once, as soon as nothing else is going on. */
  #invite(): void {
    const { isBusy, queue } = this.conversation;
    if (!this.#isTerminal || this.#isInviting || this.#leaving.signal.aborted || isBusy || queue.length > 0) return;
    this.#isInviting = true;
    this.#environment.output.write('you: ');
  }

  /** Sends a line, or does the command it is. */
  async #take(line: string): Promise<void> {
    if (line.trim() === '') return;
    // In a pipe nobody is there to pick, or to say it again.
    const commands = this.conversation.transcript?.commands ?? [];
    const command = this.#isTerminal ? this.#readCommand(line) : readOwnCommand(line, commands);
    const doubt = this.#isTerminal ? this.#doubt.look(line, commands) : undefined;
    if (doubt !== undefined) return this.#say(`note: ${doubt} Say it once more to send it to the agent as it is.`);
    try {
      const forShell = this.#isTerminal ? readShellCommand(line) : undefined;
      if (command) await this.#runCommand(command);
      else if (forShell) await this.#runShell(forShell);
      else await this.#send(line);
    } catch (error) {
      this.#say(`error: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#print();
  }

  /**
   * In a pipe each line has a turn of its own, and the next is read when that has ended. Who sits at a terminal may write
   * meanwhile: it reaches the turn that runs where the agent can take it, and else the next one.
   */
  async #send(line: string): Promise<void> {
    const wasBusy = this.conversation.isBusy;
    const turn = await this.conversation.send(line, this.#isTerminal ? 'steer' : 'queue');
    // The printer tells how it failed.
    const ended = turn.result.then(
      () => {},
      () => {},
    );
    if (!this.#isTerminal) return Promise.race([ended, this.#ended]);
    if (wasBusy && turn.state === 'steering') this.#say('note: the agent hears it in this turn');
    else if (wasBusy && turn.state === 'queued') this.#say('note: it is sent when this turn has ended');
    void ended.then(() => {
      this.#print();
      this.#invite();
    });
  }

  /** An agent may have a `/help` of its own; ours is always within reach. */
  #readCommand(line: string): OwnCommand | undefined {
    return line.trim() === '?' ? { name: 'help', input: '' } : readCommand(line, this.conversation.transcript);
  }

  #runCommand(command: OwnCommand): Promise<void> {
    return runInLines(command, {
      options: this.#options,
      conversation: this.conversation,
      lines: () => this.#lines(this.#leaving.signal),
      say: (line) => this.#say(line),
      leave: () => this.#leave('left'),
    });
  }

  /** Only for who sits there: what comes through a pipe is meant for the agent. */
  async #runShell(command: ShellCommand): Promise<void> {
    const run = runShell(command.command, { cwd: this.#options.session.cwd, env: this.#environment.env });
    this.#shell = run;
    const end = await run.ended;
    this.#shell = undefined;
    for (const line of cleanText(run.output).trimEnd().split('\n')) this.#say(`  ${line}`);
    if (end !== undefined) this.#say(`note: ${end}`);
    if (!command.isPrivate) this.conversation.addNote(tellShellRun(command, run.output, end));
    this.#say(`note: ${command.isPrivate ? 'not told to the agent' : 'the agent hears of it with your next prompt'}`);
  }

  #print(): void {
    const { transcript } = this.conversation;
    if (transcript) for (const line of this.#printer.print(transcript, this.#view())) this.#say(line);
    this.#printRestLater();
    void this.#askNext();
  }

  /** Whole lines are best to listen to; but what is said before a long silence is not held back. */
  #printRestLater(): void {
    clearTimeout(this.#rest);
    const { transcript } = this.conversation;
    if (!transcript || !this.#printer.hasRest(transcript)) return;
    this.#rest = setTimeout(() => {
      const { transcript: now } = this.conversation;
      if (now) for (const line of this.#printer.takeRest(now)) this.#say(line);
    }, REST_MS);
  }

  /** Asks the oldest question, one at a time. Nothing that was written before it counts as an answer. */
  async #askNext(): Promise<void> {
    const [question] = this.conversation.questions;
    if (!question || this.#asking !== undefined) return;
    this.#asking = question.questionId;
    const gone = new AbortController();
    const isOpen = (): boolean =>
      this.conversation.questions.some(({ questionId }) => questionId === question.questionId);
    const unwatch = this.conversation.session?.on('change', () => {
      if (!isOpen()) gone.abort();
    });
    const lines = this.#lines(AbortSignal.any([gone.signal, this.#leaving.signal]));
    const nothing = question.type === 'permission' ? 'reject' : { action: 'cancel' };
    const answer = (await askInLines(question, lines)) ?? nothing;
    unwatch?.();
    this.#asking = undefined;
    if (isOpen()) this.conversation.answer(question.questionId, answer);
    void this.#askNext();
  }

  #lines(signal: AbortSignal): Lines {
    return {
      announce: (kind, words) => this.#say(`${kind}: waiting for you: ${words}`),
      say: (text) => this.#say(text),
      show: (line) => this.#say(textOfLine(line).trimEnd()),
      view: () => this.#view(),
      canOpenPages: this.#isTerminal,
      read: (prompt) => {
        if (this.#isTerminal) this.#environment.output.write(prompt);
        else this.#say(prompt.trimEnd());
        return this.#isTerminal ? this.#reader.nextNew(signal) : this.#reader.next(signal);
      },
    };
  }

  async #readSecret(prompt: string): Promise<string | undefined> {
    const invite = (): void => {
      if (this.#isTerminal) this.#environment.output.write(prompt);
      else this.#say(prompt.trimEnd());
    };
    const secret = await this.#reader.nextSecret(invite, this.#leaving.signal);
    // Nothing was shown, not even the end of the line.
    if (this.#isTerminal) this.#environment.output.write('\n');
    return secret;
  }

  #view(): ViewOptions {
    const { env } = this.#environment;
    return {
      width: WIDTH,
      marks: chooseMarks({ LANG: 'C' }),
      cwd: this.#options.session.cwd,
      home: env.HOME,
      isDetailed: false,
      showsThoughts: false,
      now: Date.now(),
    };
  }

  #say(line: string): void {
    this.#environment.output.write(`${cleanText(line)}\n`);
    if (!this.#isSlowed && needsRoom(this.#environment.output)) void this.#slowDown();
  }

  /** Takes nothing more from the agent until our own reader has caught up. */
  async #slowDown(): Promise<void> {
    this.#isSlowed = true;
    this.conversation.connection?.pause();
    await untilRoom(this.#environment.output, this.#leaving.signal);
    this.#isSlowed = false;
    this.conversation.connection?.resume();
  }

  #leave(end: ChatEnd): void {
    this.#end = end;
    this.#leaving.abort();
  }

  /** Leaves in the middle of whatever runs. */
  #leaveNow(end: ChatEnd): void {
    this.#leave(end);
    this.#shell?.stop();
    this.#resolveEnded();
  }

  /** Stops the turn. What waited for its end is told, as there is no place to give it back to. */
  #stop(): void {
    for (const text of this.conversation.stop()) this.#say(`note: not sent: ${text}`);
  }

  /** Ctrl-C stops the person's command, or the turn; when none runs, it leaves, and at once when the turn does not stop. */
  #interrupt(): void {
    if (this.#shell) return this.#shell.stop();
    const state = this.conversation.transcript?.state;
    // The answer to it must be read, though nobody reads ours.
    this.conversation.connection?.resume();
    if (state === 'running' || state === 'waiting') return this.#stop();
    if (state === 'cancelling') this.conversation.insist();
    this.#leaveNow('interrupted');
  }
}
