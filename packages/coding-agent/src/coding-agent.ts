import { type Agent, agent, TurnError } from '@parley/agent';
import { AvailableModels } from '@parley/models/discovery';
import type { CodingAgentOptions } from './coding-agent-options.ts';
import { checkDirectory } from './session/check-directory.ts';
import { LOGIN_METHODS, terminalLogin } from './session/login-methods.ts';
import { createOptions, modelOption, SESSION_MODES } from './session/session-options.ts';
import type { SessionManager } from './session-manager.ts';
import { VERSION } from './version.ts';

/** Parley's own coding agent, ready to serve: on the models that are within reach, and on none. */
export function createCodingAgent(options: CodingAgentOptions = {}): Agent {
  const models = new AvailableModels(options);
  // The border of start-up: what is imported above answers `initialize`; sessions, turns, tools and MCP come with the first session.
  let sessions: SessionManager | undefined;
  const load = async (): Promise<SessionManager> => {
    const { SessionManager } = await import('./session-manager.ts');
    sessions ??= new SessionManager(options, models);
    return sessions;
  };

  const built = agent({
    name: 'parley',
    title: 'Parley',
    version: VERSION,
    ...(options.store && { store: options.store }),
    ...(options.limits && { limits: options.limits }),
    ...(options.onDiagnostic && { onDiagnostic: options.onDiagnostic }),
    additionalDirectories: true,
    unstable: true,
    steering: true,
    systemPrompt: 'override',
    checkDirectory,
    permissions: (session) => sessions?.permissionsFor(session) ?? {},
  })
    .accepts('image', 'audio', 'resource')
    .acceptsMcp('http', 'sse');
  for (const mode of SESSION_MODES) built.mode(mode);
  built.option(modelOption(models));
  const thinkingLevels = (modelId: unknown) => models.find(modelId)?.thinkingLevels;
  const choices = createOptions({
    permissionMode: options.permissions?.mode,
    sandbox: options.sandbox,
    thinkingLevels,
  });
  for (const option of choices) built.option(option);

  // The offline model works without a login, so that none is required.
  const loginMethods = models.isOffline ? LOGIN_METHODS : [];
  if (options.loginArgs && loginMethods.length > 0) built.auth(terminalLogin(options.loginArgs));
  for (const { method, because } of loginMethods) {
    built.auth(method, () => {
      throw new TurnError(because);
    });
  }

  return built
    .onSetting(({ session, id, value }) => sessions?.settingChosen(session, id, value))
    .onSession(async (context) => (await load()).open(context))
    .onPrompt(async (turn) => (await load()).prompt(turn));
}
