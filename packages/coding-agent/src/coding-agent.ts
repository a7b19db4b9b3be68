import { type Agent, agent, type PermissionSettings, type Session, type Turn } from '@parley/agent';
import { LOOKING_RULES, type PermissionMode, type RememberedStore, type Rule } from '@parley/policy';
import type { ContentBlock, StopReason } from '@parley/protocol';
import type { SessionStore } from '@parley/store';
import type { SlashCommand } from './commands/command.ts';
import { COMMANDS } from './commands/list.ts';
import type { DiscoverOptions } from './models/discover.ts';
import type { Environment } from './models/environment-models.ts';
import type { WebOptions } from './operations/web.ts';
import { ModelShelf } from './session/model-shelf.ts';
import { OpenSessions } from './session/open-sessions.ts';
import { createOptions, PERMISSION_OPTION, SESSION_MODES, toolSetsOf } from './session/options.ts';
import { permissionModeOf, runPrompt } from './session/run-prompt.ts';

export interface CodingAgentOptions {
  /** Where sessions live. Default: in memory. */
  readonly store?: SessionStore;
  /** Where keys and addresses of models are looked for. Default: this process's environment. */
  readonly env?: Environment;
  /** How models are found; tests and embedders bring their own. */
  readonly discover?: Omit<DiscoverOptions, 'env'>;
  readonly permissions?: {
    readonly mode?: PermissionMode;
    readonly rules?: readonly (Rule | string)[];
    readonly remembered?: RememberedStore;
  };
  /** How many requests one turn may make to the model. Default: 100. */
  readonly maxRequests?: number;
  readonly web?: WebOptions;
  readonly home?: string;
  readonly now?: () => Date;
}

export const DEFAULT_MAX_REQUESTS: number = 100;

/** Parley's own coding agent, ready to serve: on the models that are within reach, and on none. */
export function createCodingAgent(options: CodingAgentOptions = {}): Agent {
  const { env = process.env, maxRequests = DEFAULT_MAX_REQUESTS, now = () => new Date(), web } = options;
  const shelf = new ModelShelf(env, options.discover);
  const sessions = new OpenSessions();

  const built = agent({
    name: 'parley',
    title: 'Parley',
    version: '0.1.0',
    ...(options.store && { store: options.store }),
    additionalDirectories: true,
    unstable: true,
    permissions: (session) => permissionsFor(session, options),
  })
    .accepts('image', 'audio', 'resource')
    .acceptsMcp('http', 'sse');
  for (const mode of SESSION_MODES) built.mode(mode);
  built.option(shelf.option);
  for (const option of createOptions(options.permissions?.mode)) built.option(option);
  for (const { name, description, hint } of COMMANDS) {
    built.command({ name, description, ...(hint !== undefined && { hint }) });
  }

  const prompt = async (turn: Turn, content: readonly ContentBlock[]): Promise<StopReason> => {
    const coding = sessions.require(turn.session.id);
    const { model, offer } = await shelf.use(turn.session.options.model);
    return runPrompt({ turn, content, coding, model, offer, maxRequests, now, ...(web && { web }) });
  };

  return built
    .onSession(async (context) => {
      const { session } = context;
      await shelf.refresh();
      return sessions.open(context, session, COMMANDS);
    })
    .onPrompt(async (turn) => {
      const command = sessions.command(turn);
      if (!command) return prompt(turn, turn.content);
      const stopped = await runCommand(command, turn);
      return stopped ?? 'end_turn';
    });

  async function runCommand(command: SlashCommand, turn: Turn): Promise<StopReason | undefined> {
    return command.run({
      turn,
      coding: sessions.require(turn.session.id),
      input: turn.command?.input.trim() ?? '',
      discovery: shelf.discovery,
      model: async () => (await shelf.use(turn.session.options.model)).model,
      prompt: (text) => prompt(turn, [{ type: 'text', text }]),
    });
  }
}

function permissionsFor(session: Session, { permissions = {}, home }: CodingAgentOptions): PermissionSettings {
  const chosen = session.options[PERMISSION_OPTION];
  const mode = session.options.autoApproveTools === true ? 'bypassPermissions' : permissionModeOf(chosen);
  return {
    mode,
    toolSets: toolSetsOf(session),
    // Looking around inside the workspace never asks; asking for it would teach people to say yes.
    rules: [...LOOKING_RULES, ...(permissions.rules ?? [])],
    ...(permissions.remembered && { remembered: permissions.remembered }),
    ...(home !== undefined && { home }),
  };
}
