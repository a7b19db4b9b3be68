import type { ModeDefinition, OptionDefinition, Session } from '@parley/agent';
import type { AvailableModels } from '@parley/models/discovery';
import {
  BEHAVIOUR_MODES,
  type BehaviourModeId,
  isPermissionMode,
  PERMISSION_MODES,
  type PermissionMode,
  TOOL_PRESETS,
  type ToolPresetId,
  type ToolSet,
} from '@parley/policy/modes';
import { SANDBOX_SETTINGS, type SandboxSetting } from '../sandbox/choose-sandbox.ts';

/** The option that says what runs without asking. */
export const PERMISSION_OPTION = 'permissions';

/** The option that says which commands run in the sandbox. */
export const SANDBOX_OPTION = 'sandbox';

/** Set by the agent once a command could not be put in a sandbox. It still tries: as `unasked`. */
export const NO_SANDBOX = 'unavailable';

const THINKING_LEVELS = ['off', 'low', 'medium', 'high', 'max'] as const;
/** The provider's own. */
const DEFAULT_THINKING = 'default';

export const SESSION_MODES: readonly ModeDefinition[] = Object.values(BEHAVIOUR_MODES).map(
  ({ id, name, description }) => ({ id, name, description }),
);

export interface OptionsContext {
  readonly permissionMode?: PermissionMode | undefined;
  readonly sandbox?: SandboxSetting | undefined;
  /** The levels of thinking that a model has; undefined where nobody knows, and then any can be tried. */
  readonly thinkingLevels: (modelId: unknown) => readonly string[] | undefined;
}

/** The choice of a model. Its values are read again each time, so that models found later appear in it. */
export function modelOption(models: AvailableModels): OptionDefinition {
  return {
    id: 'model',
    name: 'Model',
    category: 'model',
    get values() {
      return models.discovery.offers.map(({ id, name, description }) => ({ value: id, name, description }));
    },
    get default() {
      return models.first.id;
    },
  };
}

/** What a person can choose in a session besides the model and the mode. */
export function createOptions({
  permissionMode = 'default',
  sandbox = 'unasked',
  thinkingLevels,
}: OptionsContext): readonly OptionDefinition[] {
  return [
    {
      id: 'thinking',
      name: 'Thinking',
      category: 'thought_level',
      values: [DEFAULT_THINKING, ...THINKING_LEVELS],
      offered: ({ model }) => [DEFAULT_THINKING, ...(thinkingLevels(model) ?? THINKING_LEVELS)],
    },
    {
      id: PERMISSION_OPTION,
      name: 'Permissions',
      description: 'What runs without asking',
      category: '_permissions',
      values: Object.values(PERMISSION_MODES).map(({ id, name, description }) => ({ value: id, name, description })),
      default: permissionMode,
    },
    {
      id: SANDBOX_OPTION,
      name: 'Sandbox',
      description: 'Which commands run without network, credentials and the right to change files',
      category: '_sandbox',
      values: [
        { value: 'unasked', name: 'Unasked', description: 'Commands that nobody was asked about' },
        { value: 'always', name: 'Always', description: 'All commands' },
        { value: 'off', name: 'Off', description: 'No command' },
        { value: NO_SANDBOX, name: 'Not available', description: 'Shown where there is no sandbox; works as Unasked' },
      ],
      default: sandbox,
    },
    {
      id: 'preset',
      name: 'Tools',
      description: 'Which tools exist',
      category: '_tools',
      // Clients of elephant.ai have the presets as their modes.
      setByMode: true,
      values: Object.values(TOOL_PRESETS).map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: 'autoApproveTools',
      name: 'Approve tools automatically',
      description: 'Never ask. Dangerous outside a sandbox',
      category: '_permissions',
      default: false,
    },
  ];
}

type Chosen = Pick<Session, 'mode' | 'options'>;

/** How the agent behaves in the session's mode. */
export function behaviourOf({ mode }: Pick<Session, 'mode'>): BehaviourModeId {
  return mode === 'architect' || mode === 'ask' ? mode : 'code';
}

export function permissionModeOf({ options }: Pick<Session, 'options'>): PermissionMode {
  const chosen = options[PERMISSION_OPTION];
  return typeof chosen === 'string' && isPermissionMode(chosen) ? chosen : 'default';
}

/** The permission mode, with the switch that takes its place. */
export function effectiveModeOf(session: Pick<Session, 'options'>): PermissionMode {
  return session.options.autoApproveTools === true ? 'bypassPermissions' : permissionModeOf(session);
}

export function presetOf({ options: { preset } }: Pick<Session, 'options'>): ToolPresetId {
  return typeof preset === 'string' && Object.hasOwn(TOOL_PRESETS, preset) ? (preset as ToolPresetId) : 'full';
}

export function sandboxOf({ options }: Pick<Session, 'options'>): SandboxSetting {
  const chosen = options[SANDBOX_OPTION];
  return SANDBOX_SETTINGS.find((setting) => setting === chosen) ?? 'unasked';
}

/** Whether the agent is to plan only, so that it can ask to carry a plan out. */
export function isPlanning(session: Chosen): boolean {
  return behaviourOf(session) === 'architect' || permissionModeOf(session) === 'plan';
}

/** The sets of tools that the session's mode and preset stand for; a tool exists when it is in both. */
export function toolSetsOf(session: Chosen): readonly ToolSet[] {
  return [BEHAVIOUR_MODES[behaviourOf(session)], TOOL_PRESETS[presetOf(session)]];
}
