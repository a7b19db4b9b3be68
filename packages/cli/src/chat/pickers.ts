import { listValues } from '@parley/client';
import type { AuthMethod, SessionConfigOption } from '@parley/protocol';
import type { Conversation } from './conversation.ts';
import type { ChoiceOption } from './question/choice.ts';
import { valueName } from './view/status-line.ts';

/** Something to pick from, and what picking does. */
export interface Picker {
  readonly title: string;
  readonly options: readonly ChoiceOption[];
  readonly selected?: number;
  /** Resolves to a further picker where one choice leads to the next. */
  readonly pick: (index: number) => Promise<Picker | undefined>;
}

export function pickMode(conversation: Conversation): Picker | undefined {
  const { current, modes } = conversation.modes;
  if (modes.length === 0) return undefined;
  return {
    title: 'Mode',
    options: modes.map(({ name, description }) => ({ label: name, description: description ?? undefined })),
    ...place(modes.findIndex(({ id }) => id === current)),
    async pick(index) {
      const mode = modes[index];
      if (mode) await conversation.session?.setMode(mode.id);
      return undefined;
    },
  };
}

export function pickModel(conversation: Conversation): Picker | undefined {
  const option = conversation.transcript?.options.find(({ category }) => category === 'model');
  return option && pickValue(conversation, option);
}

/** First which option, then which value. */
export function pickOption(conversation: Conversation): Picker | undefined {
  const options = conversation.transcript?.options ?? [];
  if (options.length === 0) return undefined;
  return {
    title: 'Options of the agent',
    options: options.map((option) => ({
      label: `${option.name}: ${valueName(option)}`,
      description: option.description ?? undefined,
    })),
    async pick(index) {
      const option = options[index];
      return option && pickValue(conversation, option);
    },
  };
}

export function pickLogin(
  methods: readonly AuthMethod[],
  login: (methodId: string) => Promise<void>,
): Picker | undefined {
  if (methods.length === 0) return undefined;
  return {
    title: 'Log in with',
    options: methods.map(({ name, description }) => ({ label: name, description: description ?? undefined })),
    async pick(index) {
      const method = methods[index];
      if (method) await login(method.id);
      return undefined;
    },
  };
}

function pickValue(conversation: Conversation, option: SessionConfigOption): Picker {
  const values: readonly { value: string | boolean; name: string; description?: string | null }[] =
    option.type === 'boolean'
      ? [
          { value: true, name: 'On' },
          { value: false, name: 'Off' },
        ]
      : listValues(option);
  return {
    title: option.name,
    options: values.map(({ name, description }) => ({ label: name, description: description ?? undefined })),
    ...place(values.findIndex(({ value }) => value === option.currentValue)),
    async pick(index) {
      const chosen = values[index];
      if (chosen) await conversation.session?.setOption(option.id, chosen.value);
      return undefined;
    },
  };
}

function place(index: number): { readonly selected?: number } {
  return index < 0 ? {} : { selected: index };
}
