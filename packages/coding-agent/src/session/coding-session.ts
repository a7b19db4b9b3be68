import type { ClientPeer, Session } from '@parley/agent';
import { createGuardedFiles, type GuardedFiles } from '@parley/client/node';
import { type BehaviourModeId, toolsIn } from '@parley/policy';
import { historyFromEvents } from '../loop/history-from-events.ts';
import { connectMcpServers, type McpServers, NO_MCP_SERVERS } from '../mcp/mcp-servers.ts';
import { addUsage } from '../models/cost.ts';
import type { History, HistoryMessage } from '../models/history.ts';
import { type Usage, ZERO_USAGE } from '../models/model.ts';
import { readInstructions } from '../prompt/instructions.ts';
import type { Instructions } from '../prompt/system-prompt.ts';
import { TOOLS } from '../tools/list.ts';
import type { Tool } from '../tools/tool.ts';
import { behaviourOf, toolSetsOf } from './options.ts';
import { recordTurn, type UndoJournal } from './undo.ts';

/** What the agent holds of an open session besides its log: the model's history, MCP servers, running commands. */
export class CodingSession implements AsyncDisposable {
  readonly session: Session;
  readonly files: GuardedFiles;
  mcp: McpServers = NO_MCP_SERVERS;
  instructions: readonly Instructions[] = [];
  usage: Usage = ZERO_USAGE;
  /** In US dollars, as far as prices are known. */
  cost = 0;
  #history: HistoryMessage[] | undefined;
  readonly #background = new Set<() => Promise<void>>();

  constructor(session: Session) {
    this.session = session;
    this.files = createGuardedFiles({ roots: session.roots });
  }

  /** Everything that can be prepared before the first prompt. Nothing in here fails the session. */
  async open(_client: ClientPeer, signal: AbortSignal): Promise<void> {
    const { mcpServers, cwd, roots } = this.session;
    const [mcp, instructions] = await Promise.all([
      connectMcpServers(mcpServers, { cwd, signal }),
      readInstructions({ read: (path) => this.files.readText(path) }, roots),
    ]);
    this.mcp = mcp;
    this.instructions = instructions;
  }

  get behaviour(): BehaviourModeId {
    return behaviourOf(this.session);
  }

  /** The tools that exist now: all of ours and of the MCP servers, less what the mode and the preset leave out. */
  get tools(): readonly Tool[] {
    const all = [...TOOLS, ...this.mcp.tools].filter(
      ({ kind }) => kind !== 'switch_mode' || this.behaviour === 'architect',
    );
    return toolSetsOf(this.session).reduce<readonly Tool[]>((tools, set) => toolsIn(set, tools), all);
  }

  /** The model's history before the current prompt; read from the log the first time. */
  async history(): Promise<History> {
    this.#history ??= [...(await historyFromEvents(this.session.history()))];
    return this.#history;
  }

  remember(message: HistoryMessage): void {
    this.#history?.push(message);
  }

  replaceHistory(history: History): void {
    this.#history = [...history];
  }

  addUsage(usage: Usage, dollars: number | undefined): void {
    this.usage = addUsage(this.usage, usage);
    this.cost += dollars ?? 0;
  }

  /** A command that may outlive its turn; it ends with the session at the latest. */
  keepRunning(stop: () => Promise<void>): void {
    this.#background.add(stop);
  }

  get undoJournal(): UndoJournal {
    const { undo } = this.session.state;
    return Array.isArray(undo) ? (undo as UndoJournal) : [];
  }

  set undoJournal(journal: UndoJournal) {
    this.session.state.undo = journal;
  }

  recordChanges(changes: Parameters<typeof recordTurn>[1]): void {
    this.undoJournal = recordTurn(this.undoJournal, changes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.#background].map((stop) => stop()));
    await this.mcp[Symbol.asyncDispose]();
  }
}
