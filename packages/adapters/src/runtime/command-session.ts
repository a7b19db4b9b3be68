import { randomUUID } from 'node:crypto';
import type { Session, Turn, TurnResult } from '@parley/agent';
import type { Description } from '../description/description.ts';
import { readPrompt } from '../invocation/prompt-parts.ts';
import { fillJson } from '../invocation/templates.ts';
import { LineProcess } from '../process/line-process.ts';
import { compileToolFacts, type FindToolFacts } from '../telling/tool-facts.ts';
import type { AdapterLog } from './adapter-options.ts';
import { type CommandEnd, CommandTurn } from './command-turn.ts';
import { concludeTurn, failure } from './conclude-turn.ts';
import { ImageFiles } from './image-files.ts';
import { type PrepareTurnOptions, prepareInput, prepareStart, settingsKey } from './prepare-turn.ts';
import { readState } from './session-state.ts';

export interface CommandSessionOptions {
  readonly description: Description;
  readonly session: Session;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: AdapterLog;
}

/** The process of a turn, and what is to be known of it. */
interface ChosenProcess {
  readonly process: LineProcess;
  /** It has stayed since an earlier turn. */
  readonly isReused: boolean;
  readonly newId: string | undefined;
}

/** One session with a command line: a process for each turn, or one that stays. */
export class CommandSession {
  readonly #options: CommandSessionOptions;
  readonly #factsOf: FindToolFacts;
  readonly #images = new ImageFiles();
  /** The process that stays, and the settings that it was started with. */
  #open: { readonly process: LineProcess; readonly settings: string } | undefined;
  #hasToldServers = false;

  constructor(options: CommandSessionOptions) {
    this.#options = options;
    this.#factsOf = compileToolFacts(options.description.tools);
  }

  async runTurn(turn: Turn): Promise<TurnResult> {
    const { description, session } = this.#options;
    this.#tellServers(turn);
    const parts = readPrompt(turn.content);
    const imagePaths = description.images?.block === undefined ? await this.#images.write(parts.images) : [];
    const prepare = { description, session, parts, imagePaths };
    const chosen = await this.#choose(prepare);
    const { turns, ...state } = readState(session);
    session.state.command = { ...state, turns: turns + 1 };
    const [running, end] = await this.#run(turn, chosen);
    // A process that had died since the last turn took the prompt with it.
    const isLost = chosen.isReused && end.how === 'exit' && !running.output.hasTold && !running.output.result;
    if (!isLost) return this.#end(chosen, running, end);
    const another = await this.#start(prepare);
    return this.#end(another, ...(await this.#run(turn, another)));
  }

  /** Ends the process that stays, if there is one. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await Promise.all([open?.process.stop(), this.#images.remove()]);
  }

  async #run(turn: Turn, { process }: ChosenProcess): Promise<[CommandTurn, CommandEnd]> {
    const { description, log } = this.#options;
    const onSession = (id: string): void => this.#rememberSession(id);
    const running = new CommandTurn({ turn, description, process, factsOf: this.#factsOf, log, onSession });
    return [running, await running.ended];
  }

  /** The process for this turn, with the prompt on its way. */
  async #choose(prepare: PrepareTurnOptions): Promise<ChosenProcess> {
    const open = this.#open;
    if (!open || open.process.hasEnded) return this.#start(prepare);
    if (open.settings === settingsKey(prepare)) {
      this.#write(open.process, prepareInput(prepare));
      return { process: open.process, isReused: true, newId: undefined };
    }
    // Another mode or model is an argument, and so another process.
    await this.#stop(open.process);
    return this.#start(prepare);
  }

  async #start(prepare: PrepareTurnOptions): Promise<ChosenProcess> {
    const { description, session, env, log } = this.#options;
    const { argv, input, newId } = await prepareStart(prepare);
    log.verbose?.(`in ${session.cwd}: ${argv.map((word) => JSON.stringify(word)).join(' ')}`);
    const own = Object.entries(description.env ?? {}).map(([name, value]) => [name, value ?? undefined]);
    const isPersistent = description.sessionMode === 'persistent';
    try {
      const process = await LineProcess.start({
        argv,
        cwd: session.cwd,
        env: { ...env, ...Object.fromEntries(own) },
        isText: description.outputMode === 'text',
        ...(log.debug && { onStderr: (text) => log.debug?.(`stderr: ${text.trimEnd()}`) }),
      });
      if (isPersistent) this.#open = { process, settings: settingsKey(prepare) };
      if (input !== undefined) this.#write(process, input);
      if (!isPersistent && !asksQuestions(description)) process.endInput();
      return { process, isReused: false, newId };
    } catch (error) {
      throw failure(description, error instanceof Error ? error.message : String(error));
    }
  }

  #write(process: LineProcess, line: string): void {
    this.#options.log.debug?.(`> ${line.trimEnd()}`);
    process.write(line);
  }

  async #end({ process, newId }: ChosenProcess, running: CommandTurn, end: CommandEnd): Promise<TurnResult> {
    const { description } = this.#options;
    const { output } = running;
    try {
      const result = await this.#conclude(process, running, end);
      if (newId !== undefined) this.#rememberSession(newId);
      output.end(result === 'end_turn' ? 'completed' : result === 'cancelled' ? 'cancelled' : 'failed');
      return result;
    } finally {
      // What is still open belongs to a turn that failed.
      output.end('failed');
      process.listen(undefined);
      if (description.sessionMode !== 'persistent') await this.#images.remove();
    }
  }

  async #conclude(process: LineProcess, running: CommandTurn, end: CommandEnd): Promise<TurnResult> {
    const { description, log } = this.#options;
    const { output } = running;
    const exit = end.how === 'exit' ? end.exit : undefined;
    if (exit) log.verbose?.(`exit: ${exit.signal ?? `code ${exit.code}`}`);
    if (end.how === 'cancelled') return this.#cancel(process, running);
    const isPersistent = description.sessionMode === 'persistent';
    if (end.how === 'timeout' || end.how === 'failed' || !isPersistent) await this.#stop(process);
    if (end.how === 'failed') throw end.error;
    if (end.how === 'timeout') throw failure(description, `"${description.command.join(' ')}" ${end.because}.`);
    const lastWords = process.stderrTail.trim() === '' ? running.noise : process.stderrTail;
    return concludeTurn({ description, output, exit, lastWords });
  }

  /** Asks the command to end the turn where it can be asked, and else ends it with all that it has started. */
  async #cancel(process: LineProcess, running: CommandTurn): Promise<TurnResult> {
    const { description, session } = this.#options;
    if (description.sessionMode === 'persistent' && description.interrupt !== undefined) {
      const { sessionId = null } = readState(session);
      this.#write(process, `${JSON.stringify(fillJson(description.interrupt, { id: randomUUID(), sessionId }))}\n`);
      if (await running.hasResultWithin(INTERRUPT_GRACE_MS)) return 'cancelled';
    }
    await this.#stop(process);
    return 'cancelled';
  }

  async #stop(process: LineProcess): Promise<void> {
    if (this.#open?.process === process) this.#open = undefined;
    await process.stop();
  }

  #rememberSession(id: string): void {
    const { session } = this.#options;
    const state = readState(session);
    if (state.sessionId === id) return;
    session.state.command = { ...state, sessionId: id };
    // A turn that is cut short by a crash can be resumed all the same.
    void session.save().catch(() => {});
  }

  #tellServers(turn: Turn): void {
    const { description, session, log } = this.#options;
    if (this.#hasToldServers || description.mcp || session.mcpServers.length === 0) return;
    this.#hasToldServers = true;
    const names = session.mcpServers.map(({ name }) => name).join(', ');
    const title = `MCP servers are not passed on to ${description.name}: ${names}`;
    log.verbose?.(title);
    void turn.notice({ severity: 'warning', title });
  }
}

/** How long a command may take to end a turn that it was asked to end. */
const INTERRUPT_GRACE_MS = 2000;

/** Answers are written to stdin while the turn runs. */
function asksQuestions({ outputEvents = [] }: Description): boolean {
  return outputEvents.some(({ emitAs }) => emitAs === 'permission');
}
