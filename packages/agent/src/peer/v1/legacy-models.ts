import { RpcError } from '@parley/jsonrpc';
import type { SessionConfigOption, SessionConfigSelectGroup, SessionConfigSelectOption } from '@parley/protocol';
import type { ServedClient } from '../../service/served-client.ts';

/** `models` as agents told them before session options; no part of the specification any more. */
export interface WireModels {
  readonly currentModelId: string;
  readonly availableModels: readonly {
    readonly modelId: string;
    readonly name: string;
    readonly description?: string;
  }[];
}

/** The option of category `model`, in the words of clients that know no options. */
export function toModels(options: readonly SessionConfigOption[]): WireModels | undefined {
  const option = options.find(({ category }) => category === 'model');
  if (option?.type !== 'select') return undefined;
  const choices = (option.options as (SessionConfigSelectOption | SessionConfigSelectGroup)[]).flatMap((each) =>
    'options' in each ? each.options : [each],
  );
  return {
    currentModelId: option.currentValue,
    availableModels: choices.map(({ value, name, description }) => ({
      modelId: value,
      name,
      ...(description != null && { description }),
    })),
  };
}

/** Models as the agent told them that is passed on; which of them is chosen follows the option that stands for them. */
export function followModels(told: unknown, models: WireModels | undefined): unknown {
  const { availableModels } = (told ?? {}) as { readonly availableModels?: unknown };
  if (!models || !Array.isArray(availableModels)) return told;
  const isListed = availableModels.some(
    (each) => (each as { modelId?: unknown } | null)?.modelId === models.currentModelId,
  );
  return isListed ? { ...(told as object), currentModelId: models.currentModelId } : told;
}

/** Serves `session/set_model` by the option of category `model`. */
export async function setModel(client: ServedClient, params: unknown, otherwise?: () => unknown): Promise<unknown> {
  const { sessionId, modelId } = (params ?? {}) as { readonly sessionId?: unknown; readonly modelId?: unknown };
  if (typeof sessionId !== 'string') throw RpcError.invalidParams('sessionId: expected string');
  if (typeof modelId !== 'string') throw RpcError.invalidParams('modelId: expected string');
  const option = client.require(sessionId).settings.configOptions.find(({ category }) => category === 'model');
  if (option && (await client.changeSetting(sessionId, option.id, modelId))) return {};
  // Of an agent that is passed on, models may be no values of the option.
  if (otherwise && client.require(sessionId).settings.current.own?.extra?.models !== undefined) return otherwise();
  throw RpcError.invalidParams(`modelId: there is no model "${modelId}"`);
}
