import type { Session, SessionContext, Turn } from '@parley/agent';
import type { SlashCommand } from '../commands/command.ts';
import { readCustomCommands } from '../commands/custom.ts';
import { CodingSession } from './coding-session.ts';

interface Open {
  readonly coding: CodingSession;
  readonly commands: ReadonlyMap<string, SlashCommand>;
}

/** The sessions that are open now, with what the agent holds of each. */
export class OpenSessions {
  readonly #open = new Map<string, Open>();

  /** Prepares a session; what it returns closes it again. */
  async open(
    { client, signal }: SessionContext,
    session: Session,
    builtIn: readonly SlashCommand[],
  ): Promise<() => Promise<void>> {
    const coding = new CodingSession(session);
    await coding.open(client, signal);
    const own = await readCustomCommands(coding.files, session.cwd);
    // A built-in command keeps its name: a file in a project must not change what /undo does.
    const commands = new Map([...own, ...builtIn].map((command) => [command.name, command]));
    this.#open.set(session.id, { coding, commands });
    session.setCommands(
      [...commands.values()].map(({ name, description, hint }) => ({
        name,
        description,
        ...(hint !== undefined && { input: { hint } }),
      })),
    );
    for (const { because } of coding.mcp.failures) {
      void session.update({
        type: 'notice',
        severity: 'warning',
        title: 'An MCP server is missing',
        description: because,
      });
    }
    return async () => {
      this.#open.delete(session.id);
      await coding[Symbol.asyncDispose]();
    };
  }

  require(sessionId: string): CodingSession {
    const open = this.#open.get(sessionId);
    if (!open) throw new Error(`Session ${sessionId} is not open.`);
    return open.coding;
  }

  /** The slash command that a prompt invokes, if it is one. */
  command(turn: Turn): SlashCommand | undefined {
    const { command, session } = turn;
    return command && this.#open.get(session.id)?.commands.get(command.name);
  }
}
