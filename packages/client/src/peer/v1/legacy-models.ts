import type { SessionConfigOption } from '@parley/protocol';

type SelectOption = Extract<SessionConfigOption, { type: 'select' }>;

/** The option under which the models appear of agents that know no options for them. */
const MODEL_OPTION_ID = 'model';

/**
 * Agents from before session options tell their models in a field of their own (`models`) and change them with
 * `session/set_model`. Here they become an option of category `model`, so that nobody else has to know two ways.
 */
export class LegacyModels {
  readonly #sessions = new Map<string, { model: SelectOption; others: readonly SessionConfigOption[] }>();

  /**
   * Reads the answer that opened a session, and gives the options that the session has. An agent that has an option for
   * its models is left to that.
   */
  read(
    sessionId: string,
    answer: object,
    options: readonly SessionConfigOption[] | undefined,
  ): readonly SessionConfigOption[] | undefined {
    this.#sessions.delete(sessionId);
    const model = options?.some(({ category }) => category === 'model') ? undefined : readModels(answer);
    if (!model) return options;
    this.#sessions.set(sessionId, { model, others: options ?? [] });
    return this.join(sessionId, options ?? []);
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  /** Whether an option of a session stands for its models. */
  has(sessionId: string, optionId: string): boolean {
    return this.#sessions.get(sessionId)?.model.id === optionId;
  }

  /** All options of the session once another model is chosen. */
  choose(sessionId: string, modelId: string): readonly SessionConfigOption[] {
    const session = this.#sessions.get(sessionId);
    if (!session) return [];
    session.model = { ...session.model, currentValue: modelId };
    return this.join(sessionId, session.others);
  }

  /** The options that an agent told, with its models among them. */
  join(sessionId: string, options: readonly SessionConfigOption[]): readonly SessionConfigOption[] {
    const session = this.#sessions.get(sessionId);
    if (!session) return options;
    session.others = options;
    return [...options, session.model];
  }
}

function readModels(answer: object): SelectOption | undefined {
  const { models } = answer as { readonly models?: unknown };
  const { currentModelId, availableModels } = (models ?? {}) as { currentModelId?: unknown; availableModels?: unknown };
  if (typeof currentModelId !== 'string' || !Array.isArray(availableModels)) return undefined;
  const options = availableModels.flatMap((model) => {
    const { modelId, name, description } = (model ?? {}) as {
      modelId?: unknown;
      name?: unknown;
      description?: unknown;
    };
    if (typeof modelId !== 'string') return [];
    return [
      {
        value: modelId,
        name: typeof name === 'string' ? name : modelId,
        ...(typeof description === 'string' && { description }),
      },
    ];
  });
  if (options.length === 0) return undefined;
  return {
    id: MODEL_OPTION_ID,
    name: 'Model',
    category: 'model',
    type: 'select',
    currentValue: currentModelId,
    options,
  };
}
