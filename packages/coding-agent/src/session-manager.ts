import type { PermissionSettings, Session, SessionContext, Turn } from '@parley/agent';
import { listFolder, realPath } from '@parley/host/files';
import { findHome } from '@parley/host/places';
import { ModelRefresh } from '@parley/models';
import type { AvailableModels, ModelOffer } from '@parley/models/discovery';
import { lookingRules, parseRule, type Rule } from '@parley/policy';
import type { AvailableCommand, ContentBlock } from '@parley/protocol';
import type { StopReason } from '@parley/session';
import { readDepth } from './agents/call-depth.ts';
import type { CodingAgentOptions } from './coding-agent-options.ts';
import type { CommandContext } from './commands/command.ts';
import { readCustomCommands } from './commands/custom.ts';
import { COMMANDS } from './commands/list.ts';
import { askedMark } from './loop/log-marks.ts';
import { workspaceFiles } from './operations/client-files.ts';
import { commandShell } from './operations/shell.ts';
import { expandPrompt } from './prompt/expand-prompt.ts';
import type { PromptCommand } from './prompt/prompt-command.ts';
import { CodingSession } from './session/coding-session.ts';
import { effectiveModeOf, toolSetsOf } from './session/session-options.ts';
import { skillCommands } from './skills/skill-commands.ts';
import { taskOperations } from './tasks/task-operations.ts';
import { modelRequestFor } from './turn/model-request.ts';
import { notifyPerson } from './turn/notify-person.ts';
import { runPrompt } from './turn/run-prompt.ts';

/** How many requests one turn may make to the model, unless told otherwise. */
export const DEFAULT_MAX_REQUESTS = 100;

/** The open sessions of one agent: opens them, answers their prompts, and says what may run in each. */
export class SessionManager {
  readonly #options: CodingAgentOptions;
  readonly #models: AvailableModels;
  readonly #refresh: ModelRefresh;
  readonly #open = new WeakMap<Session, CodingSession>();
  readonly #lookingRules: readonly Rule[] = lookingRules();

  constructor(options: CodingAgentOptions, models: AvailableModels) {
    this.#options = options;
    this.#models = models;
    this.#refresh = new ModelRefresh(models, {
      ...options.discover,
      env: options.env ?? process.env,
      providers: options.providers,
      model: options.model,
    });
  }

  /** Prepares a session; what it returns closes it again. */
  async open({ session, meta, reason, client }: SessionContext): Promise<() => Promise<void>> {
    const { initialMessage, env = process.env } = this.#options;
    const coding = new CodingSession(session, {
      ...this.#options,
      depth: readDepth(env, meta),
      permissions: () => this.permissionsFor(session),
    });
    coding.applySettings(meta, reason === 'new' ? initialMessage : undefined);
    const [custom] = await Promise.all([
      readCustomCommands({ cwd: session.cwd, personal: this.#options.personal }),
      coding.open(),
      this.#refresh.run(),
    ]);
    const own = [...skillCommands(coding.skills), ...custom];
    // The session was made before the servers had answered, and begins with what they have.
    const first = (await this.#lastModel()) ?? this.#models.first;
    if (reason === 'new' && session.options.model !== first.id) session.setOption('model', first.id);
    // A built-in command keeps its name: a file in a project must not change what /undo does.
    coding.commands = byName([...own, ...COMMANDS]);
    this.#open.set(session, coding);
    coding.isOfOurCommand = client.info?.name === 'parley';
    session.setCommands(describeCommands(coding));
    coding.onConnected(() => {
      if (coding.mcp.commands.length === 0) return;
      coding.commands = byName([...coding.mcp.commands, ...own, ...COMMANDS]);
      session.setCommands(describeCommands(coding));
    });
    return () => coding[Symbol.asyncDispose]();
  }

  /** Answers a prompt: a slash command by itself or with the model, everything else with the model. */
  async prompt(turn: Turn): Promise<StopReason> {
    const { maxRequests = DEFAULT_MAX_REQUESTS, now = () => new Date(), web, silenceMs, tasks } = this.#options;
    const coding = this.#require(turn.session);
    await coding.connected(turn.signal);
    await this.#reportProblems(turn, coding);
    const command = turn.command && coding.commands.get(turn.command.name);
    coding.hasPrompts = true;
    const { model: before } = turn.session.options;
    await COMMANDS.find(({ name }) => name === command?.name)?.run?.(this.#contextFor(turn, coding));
    const { model: chosen } = turn.session.options;
    if (typeof chosen === 'string' && chosen !== before) await this.#options.lastModel?.save(chosen);
    const content = command?.fetch ? await fetchPrompt(turn, command) : expandPrompt(turn.content, coding.commands);
    if (!content) return 'end_turn';
    const { model, offer } = await this.#models.use(turn.session.options.model);
    const limit = Math.min(maxRequests, coding.settings.maxTurns ?? maxRequests);
    const prompt = { turn, content, coding, model, offer, maxRequests: limit, silenceMs, now, ...(web && { web }) };
    const taskModel = () => this.#models.use((this.#models.findNamed(tasks ? tasks.model : undefined) ?? offer).id);
    return runPrompt({
      ...prompt,
      tasks: (onChange) => taskOperations({ ...prompt, ...(tasks && { taskLimits: tasks }), taskModel }, onChange),
    });
  }

  /** What our own command sets before the first prompt comes from its flags and settings; nobody chose that for all sessions. */
  async settingChosen(session: Session, id: string, value: unknown): Promise<void> {
    const coding = this.#open.get(session);
    if (id !== 'model' || typeof value !== 'string' || !coding) return;
    if (coding.hasPrompts || !coding.isOfOurCommand) await this.#options.lastModel?.save(value);
  }

  async #lastModel(): Promise<ModelOffer | undefined> {
    const { model, lastModel, env = process.env } = this.#options;
    if (!lastModel || model !== undefined || env.PARLEY_MODEL) return undefined;
    return this.#models.find(await lastModel.load());
  }

  permissionsFor(session: Session): PermissionSettings {
    const { permissions = {}, home = findHome() } = this.#options;
    return {
      mode: effectiveModeOf(session),
      toolSets: toolSetsOf(session),
      // Looking around inside the workspace never asks; asking for it would teach people to say yes.
      rules: [...this.#lookingRules, ...rulesOfOutputs(this.#open.get(session)), ...(permissions.rules ?? [])],
      ...(permissions.remembered && { remembered: permissions.remembered }),
      ...(home !== undefined && { home }),
      realPath,
      listFolder,
      shell: commandShell().kind,
    };
  }

  #require(session: Session): CodingSession {
    const coding = this.#open.get(session);
    if (!coding) throw new Error(`Session ${session.id} is not open.`);
    return coding;
  }

  /** What went wrong before there was a turn to tell it in. */
  async #reportProblems(turn: Turn, coding: CodingSession): Promise<void> {
    if (coding.hasReportedProblems) return;
    coding.hasReportedProblems = true;
    tellInstructions(turn, coding);
    for (const title of coding.problems) await notifyPerson(turn, { title });
    for (const { because } of coding.mcp.failures) {
      await notifyPerson(turn, { title: 'An MCP server is missing', description: because });
    }
    for (const title of this.#models.discovery.notices) await notifyPerson(turn, { title });
  }

  #contextFor(turn: Turn, coding: CodingSession): CommandContext {
    return {
      turn,
      coding,
      input: turn.command?.input.trim() ?? '',
      discovery: this.#models.discovery,
      files: workspaceFiles(turn.client, coding.files),
      model: () => this.#models.use(turn.session.options.model),
      request: () => modelRequestFor({ turn, coding }),
    };
  }
}

/** What the model was given to read besides the prompt. A client that has no place for it is not told: /help says it. */
function tellInstructions(turn: Turn, { instructions, skills }: CodingSession): void {
  const parts = [...instructions.map(({ path }) => path), ...skills.map(({ name }) => `the skill ${name}`)];
  if (parts.length === 0 || !turn.client.offers.notices) return;
  void turn.notice({ severity: 'info', title: 'Instructions that were read', description: parts.join(', ') });
}

/** What the model was told to read is read without asking. */
function rulesOfOutputs(coding: CodingSession | undefined): readonly Rule[] {
  const folder = coding?.outputs.folder;
  return folder === undefined || !/^[\w./-]+$/.test(folder)
    ? []
    : [parseRule(`Read(${folder}/**)`, { scope: 'built-in', file: 'outputs' })];
}

/** Of two commands of one name the last one counts. */
function byName(commands: readonly PromptCommand[]): ReadonlyMap<string, PromptCommand> {
  return new Map(commands.map((command) => [command.name, command]));
}

function describeCommands({ commands }: CodingSession): readonly AvailableCommand[] {
  return [...commands.values()].map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }));
}

/** What somebody else puts in place of a prompt; undefined when there is nothing to ask, which the person is told. */
async function fetchPrompt(turn: Turn, command: PromptCommand): Promise<readonly ContentBlock[] | undefined> {
  try {
    const content = await command.fetch?.(turn.command?.input.trim() ?? '', turn.signal);
    if (!content || content.length === 0) throw new Error('it is empty');
    const whole = [...content, ...turn.content.filter(({ type }) => type !== 'text')];
    await turn.update({ type: 'info', meta: askedMark(whole) });
    return whole;
  } catch (error) {
    turn.signal.throwIfAborted();
    void turn.say(`\`/${command.name}\` could not be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
