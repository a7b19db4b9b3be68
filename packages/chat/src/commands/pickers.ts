import { applySettings, listValues, UsageError } from '@parley/client';
import type { AuthMethod, SessionConfigOption } from '@parley/protocol';
import { shortLine } from '@parley/terminal';
import type { ChatDirectory } from '../conversation/chat-options.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { canForkBefore } from '../conversation/fork-before.ts';
import { modesOf, valueName } from '../conversation/session-modes.ts';
import type { ChoiceOption } from '../dialogs/choice.ts';
import { filterOptions } from '../dialogs/filter-options.ts';
import { type PastPrompt, pastPrompts } from '../rewind/past-prompts.ts';
import { wordCount } from '../view/wording.ts';

/** Something to pick from, and what picking does. */
export interface Picker {
  readonly title: string;
  readonly options: readonly ChoiceOption[];
  readonly selected?: number;
  /** What narrows the list at first. */
  readonly filter?: string;
  /** Resolves to a further picker where one choice leads to the next. */
  readonly pick: (index: number) => Promise<Picker | undefined>;
}

export function pickMode(conversation: Conversation): Picker | undefined {
  const { current, modes } = modesOf(conversation.transcript);
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

/** Sets the mode or the model to the only one that is called so; otherwise it is picked among those that are. */
export async function chooseByWord(
  conversation: Conversation,
  key: 'mode' | 'model',
  word: string,
): Promise<Picker | string> {
  const { session } = conversation;
  if (!session) return 'There is no session yet.';
  try {
    await applySettings(session, { [key]: word });
  } catch (error) {
    const picker = key === 'mode' ? pickMode(conversation) : pickModel(conversation);
    const isCalledSo = picker && filterOptions(picker.options, word).length > 0;
    if (!isCalledSo || !(error instanceof UsageError)) throw error;
    return { ...picker, filter: word };
  }
  const { transcript } = session;
  const { current, modes } = modesOf(transcript);
  const model = transcript.options.find(({ category }) => category === 'model');
  if (key === 'mode') return `Mode: ${modes.find(({ id }) => id === current)?.name ?? word}.`;
  return `Model: ${model ? valueName(model) : word}.`;
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

/** The saved sessions of this folder; the one that is open is not among them. */
export async function pickSession(conversation: Conversation, directory: ChatDirectory): Promise<Picker | undefined> {
  const here = conversation.session?.id;
  const sessions = (await directory.sessions()).filter(({ agentSessionId }) => agentSessionId !== here);
  if (sessions.length === 0) return undefined;
  return {
    title: 'Go on with',
    options: sessions.map(({ title, about }) => ({ label: title, description: about })),
    async pick(index) {
      const chosen = sessions[index];
      if (chosen) await conversation.moveTo(await directory.openSession(chosen.id));
      return undefined;
    },
  };
}

/** The agents that can be started. A new session begins with the one that is chosen. */
export async function pickAgent(conversation: Conversation, directory: ChatDirectory): Promise<Picker | undefined> {
  const agents = await directory.agents();
  if (agents.length === 0) return undefined;
  return {
    title: 'A new session with',
    options: agents.map(({ name, title }) => ({ label: title, description: title === name ? undefined : name })),
    ...place(agents.findIndex(({ name }) => name === conversation.target.agent.name)),
    async pick(index) {
      const chosen = agents[index];
      if (chosen) await conversation.moveTo(await directory.openAgent(chosen.name));
      return undefined;
    },
  };
}

/** What goes back to before a prompt. */
export interface WayBack {
  readonly files: boolean;
  readonly conversation: boolean;
}

/** First before which prompt, then whether the files go back as well. */
export function pickTurn(
  conversation: Conversation,
  rewind: (prompt: PastPrompt, way: WayBack) => Promise<void>,
): Picker | undefined {
  const prompts = conversation.transcript ? pastPrompts(conversation.transcript) : [];
  if (prompts.length === 0) return undefined;
  const canFork = canForkBefore(conversation.connection);
  return {
    title: 'Go back to before',
    options: prompts.map(({ text, turns }) => ({
      label: shortLine(text.trim() || '(no words)', MAX_LABEL),
      description: turns === 1 ? 'the last turn' : `${wordCount(turns, 'turn')} ago`,
    })),
    async pick(index) {
      const prompt = prompts[index];
      if (!prompt) return undefined;
      const ways = canFork ? WAYS_BACK : WAYS_BACK.filter(({ conversation: isForked }) => !isForked);
      return {
        title: canFork ? 'What goes back?' : 'This agent cannot go back in a conversation. What goes back?',
        options: ways.map(({ label }) => ({ label })),
        async pick(way) {
          const chosen = ways[way];
          if (chosen) await rewind(prompt, chosen);
          return undefined;
        },
      };
    },
  };
}

const MAX_LABEL = 60;

const WAYS_BACK = [
  { label: 'The conversation; files stay as they are', conversation: true, files: false },
  { label: 'The conversation, and files that tools have changed since', conversation: true, files: true },
  { label: 'Only files that tools have changed since', conversation: false, files: true },
] as const;

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
