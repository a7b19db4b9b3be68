import type { Meta, PermissionSettings, Session } from '@parley/agent';
import { createGuardedFiles, type GuardedFiles } from '@parley/host/files';
import { ParleyError } from '@parley/jsonrpc';
import type { History, HistoryMessage } from '@parley/models/model';
import type { BehaviourModeId } from '@parley/policy/modes';
import type { AgentPool } from '../agents/agent-pool.ts';
import type { CodingAgentOptions } from '../coding-agent-options.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { historyFromEvents } from '../loop/history-from-events.ts';
import { connectMcpServers, type McpServers, NO_MCP_SERVERS } from '../mcp/mcp-servers.ts';
import type { BackgroundCommands, SeenFiles } from '../operations/operations.ts';
import { OutputFiles } from '../operations/output-files.ts';
import { isInRepository } from '../project/folders.ts';
import { expandPrompt } from '../prompt/expand-prompt.ts';
import { readInstructions } from '../prompt/instructions.ts';
import { NestedInstructions } from '../prompt/nested-instructions.ts';
import type { PromptCommand } from '../prompt/prompt-command.ts';
import type { Instructions } from '../prompt/system-prompt.ts';
import { SandboxWork } from '../sandbox/sandbox-work.ts';
import { findSkills } from '../skills/find-skills.ts';
import type { Skill } from '../skills/skill.ts';
import type { FileChange, Tool } from '../tools/tool.ts';
import { createBackgroundCommands } from './background-commands.ts';
import { createSeenFiles } from './seen-files.ts';
import { behaviourOf } from './session-options.ts';
import { readSessionSettings, type SessionSettings } from './session-settings.ts';
import { SessionTools } from './session-tools.ts';
import { TaskSlots } from './task-slots.ts';
import { recordTurn, type UndoJournal } from './undo.ts';
import { UsageCount } from './usage-count.ts';

/** Commands that may run in the background of one session. */
const MAX_BACKGROUND_COMMANDS = 16;

/** Where the log of a session keeps its settings; sessions on disk have them under this name. */
const SETTINGS_KEY = 'wishes';

export interface CodingSessionOptions
  extends Pick<
    CodingAgentOptions,
    'mcpServers' | 'agents' | 'tasks' | 'personal' | 'isTrusted' | 'hooks' | 'webSearch'
  > {
  /** How many agents have called each other to get here. */
  readonly depth: number;
  /** What may happen without asking. */
  readonly permissions: () => PermissionSettings;
}

/** What the agent holds of an open session besides its log: the model's history, MCP servers, running commands. */
export class CodingSession implements AsyncDisposable {
  readonly session: Session;
  readonly files: GuardedFiles;
  readonly usage: UsageCount;
  readonly sandbox: SandboxWork;
  readonly nested: NestedInstructions;
  readonly seen: SeenFiles;
  readonly outputs: OutputFiles = new OutputFiles();
  readonly background: BackgroundCommands = createBackgroundCommands();
  readonly taskSlots: TaskSlots;
  mcp: McpServers = NO_MCP_SERVERS;
  instructions: readonly Instructions[] = [];
  skills: readonly Skill[] = [];
  hooks: Hooks = {};
  /** What could not be used of what the person and the project bring, in sentences for the person. */
  problems: readonly string[] = [];
  commands: ReadonlyMap<string, PromptCommand> = new Map();
  isGit = false;
  hasReportedProblems = false;
  hasPrompts = false;
  /** It was opened by the command `parley`, which sets what its flags say. */
  isOfOurCommand = false;
  /** What the provider has counted for the history, as it was after the last answer. */
  countedTokens: number | undefined;
  /** The provider has refused the history as it is. */
  wasRefused = false;
  readonly #options: CodingSessionOptions;
  readonly #tools: SessionTools;
  #agents: Promise<AgentPool> | undefined;
  #connecting: Promise<void> | undefined;
  #history: HistoryMessage[] | undefined;
  readonly #closing = new AbortController();
  readonly #running = new Map<() => Promise<void>, { readonly isBackground: boolean }>();

  constructor(session: Session, options: CodingSessionOptions) {
    const { tasks } = options;
    this.session = session;
    this.#options = options;
    this.#tools = new SessionTools(this, options);
    this.files = createGuardedFiles({ roots: session.roots });
    this.usage = new UsageCount(session.state);
    this.sandbox = new SandboxWork({ roots: session.roots, readable: () => this.outputs.folder });
    this.nested = this.watchFolders();
    this.seen = this.nested.watch(createSeenFiles());
    this.taskSlots = new TaskSlots(tasks ? tasks.maxParallel : undefined);
  }

  /** Everything that can be prepared before the first prompt. Nothing in here fails the session, and no server delays it. */
  async open(): Promise<void> {
    const { roots } = this.session;
    this.#connecting = this.#connect();
    const { personal, isTrusted = () => false, hooks } = this.#options;
    const [read, found, ours] = await Promise.all([
      readInstructions({ roots, personal }),
      findSkills({ roots, personal, isTrusted }),
      hooks?.(this.session.cwd),
    ]);
    this.isGit = isInRepository(this.session.cwd, personal?.home);
    this.instructions = read.instructions;
    this.skills = found.skills;
    this.hooks = ours ?? {};
    this.problems = [...read.problems, ...tellUntrusted(found.untrusted)];
  }

  /** Tells what the project says about single folders, once in a conversation, or once to each sub-agent. */
  watchFolders(isOfTask: boolean = false): NestedInstructions {
    const { state, roots } = this.session;
    const ownFolders: string[] = [];
    const told = isOfTask
      ? { get: () => ownFolders, add: (folder: string) => void ownFolders.push(folder) }
      : {
          get: () => (Array.isArray(state.toldFolders) ? (state.toldFolders as readonly string[]) : []),
          add: (folder: string) => {
            state.toldFolders = [...told.get(), folder];
          },
        };
    return new NestedInstructions({ roots, personal: this.#options.personal, told });
  }

  async #connect(): Promise<void> {
    const { mcpServers, cwd } = this.session;
    const { signal } = this.#closing;
    const names = new Set(mcpServers.map(({ name }) => name));
    const { mcpServers: moreServers = () => [] } = this.#options;
    const more = (await moreServers(cwd)).filter(({ name }) => !names.has(name));
    this.mcp = await connectMcpServers([...mcpServers, ...more], { cwd, signal });
  }

  /** Called once the MCP servers have answered or failed, unless the session is closed by then. */
  onConnected(listener: () => void): void {
    // Who waits for the servers hears of a failure.
    this.#connecting?.then(
      () => {
        if (!this.#closing.signal.aborted) listener();
      },
      () => {},
    );
  }

  /** Waits until the MCP servers have answered or failed. */
  async connected(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      Promise.resolve(this.#connecting)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', onAbort));
    });
  }

  get behaviour(): BehaviourModeId {
    return behaviourOf(this.session);
  }

  get tools(): readonly Tool[] {
    return this.#tools.usable;
  }

  get offeredTools(): readonly Tool[] {
    return this.#tools.offered;
  }

  /** What the client that opened the session has set; kept with it, so that it holds when others open it again. */
  get settings(): SessionSettings {
    return (this.session.state[SETTINGS_KEY] ?? {}) as SessionSettings;
  }

  /** Keeps the settings of the request that opened the session, and what the agent tells the model in every new one. */
  applySettings(meta: Meta | undefined, initialMessage?: string): void {
    const settings = readSessionSettings(meta, this.session.systemPrompt);
    if (!settings && initialMessage === undefined) return;
    this.session.state[SETTINGS_KEY] = { ...settings, ...(initialMessage !== undefined && { initialMessage }) };
  }

  /** The model's history before the turn that is running; read from the log the first time. */
  async history(turnId: string): Promise<History> {
    const { cwd, roots } = this.session;
    this.#history ??= [
      ...(await historyFromEvents(this.session.history(), {
        cwd,
        roots,
        turnId,
        expandPrompt: (content) => expandPrompt(content, this.commands),
      })),
    ];
    return this.#history;
  }

  remember(message: HistoryMessage): void {
    this.#history?.push(message);
  }

  replaceHistory(history: History): void {
    this.#history = [...history];
  }

  /** Goes on from another history than what was said: a summary, or nothing. */
  restartFrom(history: History): void {
    this.replaceHistory(history);
    this.wasRefused = false;
    this.countedTokens = undefined;
    this.#tools.restart();
    delete this.session.state.toldFolders;
  }

  /** Changes the history that the model is sent. */
  changeHistory(change: (history: History) => History): void {
    if (this.#history) this.#history = [...change(this.#history)];
  }

  /** The agents that this session may call; what calls them is loaded with the first call. */
  agentPool(): Promise<AgentPool> {
    const { agents = {}, depth, permissions } = this.#options;
    const { session } = this;
    this.#agents ??= import('../agents/agent-pool.ts').then(
      ({ AgentPool }) => new AgentPool({ agents, session, depth, permissions }),
    );
    return this.#agents;
  }

  /** A command that ends with the session at the latest; returns how to forget it. */
  keepRunning(stop: () => Promise<void>, options: { readonly isBackground: boolean }): () => void {
    const count = [...this.#running.values()].filter(({ isBackground }) => isBackground).length;
    if (options.isBackground && count >= MAX_BACKGROUND_COMMANDS) {
      void stop();
      throw new ParleyError(
        'too_many_commands',
        `${count} commands run in the background already; that is all there may be in a session.`,
      );
    }
    this.#running.set(stop, options);
    return () => this.#running.delete(stop);
  }

  get undoJournal(): UndoJournal {
    const { undo } = this.session.state;
    return Array.isArray(undo) ? (undo as UndoJournal) : [];
  }

  set undoJournal(journal: UndoJournal) {
    this.session.state.undo = journal;
  }

  recordChanges(changes: readonly FileChange[]): void {
    this.undoJournal = recordTurn(this.undoJournal, changes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#running.keys()].map((stop) => stop()));
    await this.#connecting?.catch(() => {});
    const agents = await this.#agents;
    await Promise.allSettled([
      agents?.[Symbol.asyncDispose](),
      this.mcp[Symbol.asyncDispose](),
      this.sandbox[Symbol.asyncDispose](),
      this.outputs[Symbol.asyncDispose](),
    ]);
  }
}

function tellUntrusted(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`Skills of this project are not used until you trust them (\`parley config trust\`): ${names.join(', ')}.`];
}
