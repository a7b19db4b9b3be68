/** Where an agent gets its models from, as the client may see and change it. Unstable. */
export interface Provider {
  readonly providerId: string;
  /** The ways to speak to a model that it can be set to: `anthropic`, `openai`, ... */
  readonly supported: readonly string[];
  /** The agent cannot do without it, so it cannot be disabled. */
  readonly required: boolean;
  /** How it is set now; null when it is disabled. Headers hold secrets and are never told. */
  readonly current?: { readonly apiType: string; readonly baseUrl: string } | null;
}

export interface ProviderSetting {
  readonly providerId: string;
  readonly apiType: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whose request it is. */
export interface ProviderContext {
  readonly principal: string;
}

/**
 * Lets clients say where models come from, for as long as the agent runs. What is asked for was checked against `list`: the
 * provider is there and supports the way to speak to it, and one that is required is never disabled.
 */
export interface ProviderHandlers {
  list(context: ProviderContext): readonly Provider[] | Promise<readonly Provider[]>;
  /** Takes the place of the whole setting before. */
  set(setting: ProviderSetting, context: ProviderContext): void | Promise<void>;
  disable(providerId: string, context: ProviderContext): void | Promise<void>;
}
