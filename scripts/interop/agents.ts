import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProtocolSetting } from '@parley/client';

/** A third-party agent, and how to make it talk to the fake model instead of its own. */
export interface InteropAgent {
  readonly name: string;
  /** With its version, so that a run can be repeated. */
  readonly npm: string;
  readonly bin: string;
  readonly args: readonly string[];
  /** Where it does not run on the Node that we have. */
  readonly nodeVersion?: string;
  readonly note?: string;
  /** Part of a run without names. */
  readonly isDefault?: boolean;
  /** Environment, and files in its home, for a model at this address. */
  prepare(place: { readonly modelUrl: string; readonly home: string }): Readonly<Record<string, string>>;
  /** The authentication method to use should it ask. */
  readonly auth?: string;
  /** The mode in which it asks before it runs a command. Default: the one that it begins in. */
  readonly mode?: string;
  /** The versions of ACP that it is run with. Default: whichever is agreed upon. */
  readonly protocols?: readonly ProtocolSetting[];
  /** A command line that speaks no ACP itself: the name of its description in `@parley/adapters`. */
  readonly adapts?: string;
  /** Its model has a tool that starts sub-agents, as Claude's `Agent`. */
  readonly hasSubagents?: boolean;
  /** It runs what its mode allows, and refuses the rest without a question. */
  readonly neverAsks?: boolean;
}

/** Eight agents ran so when this was written; those here were run with this script. */
export const AGENTS: readonly InteropAgent[] = [
  {
    name: 'qwen',
    npm: '@qwen-code/qwen-code@0.24.4',
    bin: 'qwen',
    args: ['--acp'],
    isDefault: true,
    auth: 'openai',
    prepare({ modelUrl, home }) {
      write(join(home, '.qwen', 'settings.json'), {
        security: { auth: { selectedType: 'openai' } },
        telemetry: { enabled: false },
      });
      return { OPENAI_API_KEY: 'fake', OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'fake-model' };
    },
  },
  {
    name: 'gemini',
    npm: '@google/gemini-cli@0.61.0',
    bin: 'gemini',
    args: ['--acp'],
    isDefault: true,
    auth: 'gemini-api-key',
    prepare({ modelUrl, home }) {
      write(join(home, '.gemini', 'settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        telemetry: { enabled: false },
      });
      return { GEMINI_API_KEY: 'fake', GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_MODEL: 'gemini-2.5-pro' };
    },
  },
  {
    name: 'claude',
    npm: '@agentclientprotocol/claude-agent-acp@0.99.1',
    bin: 'claude-agent-acp',
    args: [],
    isDefault: true,
    note: 'about 360 MB',
    protocols: [1, 2],
    hasSubagents: true,
    prepare: ({ modelUrl }) => ({
      ANTHROPIC_API_KEY: 'fake',
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_MODEL: 'claude-sonnet-4-5',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  },
  {
    name: 'kimi',
    npm: '@moonshot-ai/kimi-code@2.1.0',
    bin: 'kimi',
    args: ['acp'],
    note: 'brings Node 22; runs commands through the client',
    nodeVersion: '22',
    isDefault: true,
    prepare: ({ modelUrl }) => ({
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_MODEL_NAME: 'fake-model',
      KIMI_MODEL_API_KEY: 'fake',
      KIMI_MODEL_BASE_URL: `${modelUrl}/v1`,
      KIMI_CODE_NO_AUTO_UPDATE: '1',
    }),
  },
  {
    name: 'opencode',
    npm: 'opencode-ai@1.18.33',
    bin: 'opencode',
    args: ['acp'],
    isDefault: true,
    note: 'about 350 MB',
    prepare({ modelUrl, home }) {
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        name: 'Fake',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'fake' },
        models: { 'fake-model': { name: 'Fake' } },
      };
      write(join(home, '.config', 'opencode', 'opencode.json'), {
        provider: { fake: provider },
        model: 'fake/fake-model',
        permission: { bash: 'ask' },
        autoupdate: false,
        share: 'disabled',
      });
      return { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
    },
  },
  {
    name: 'codex',
    npm: '@agentclientprotocol/codex-acp@2.6.0',
    bin: 'codex-acp',
    args: [],
    isDefault: true,
    note: 'about 300 MB',
    mode: 'workspace-write',
    protocols: [1, 2],
    prepare: (place) => prepareCodex(place, []),
  },
  {
    name: 'zed-codex',
    npm: '@zed-industries/codex-acp@0.16.0',
    bin: 'codex-acp',
    args: [],
    prepare: (place) => prepareCodex(place, ['approval_policy = "on-request"']),
  },
];

function prepareCodex(
  { modelUrl, home }: { readonly modelUrl: string; readonly home: string },
  settings: readonly string[],
): Record<string, string> {
  const file = join(home, '.codex', 'config.toml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    [
      'model = "fake-model"',
      'model_provider = "fake"',
      ...settings,
      '[model_providers.fake]',
      'name = "Fake"',
      `base_url = "${modelUrl}/v1"`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      '',
    ].join('\n'),
  );
  return { OPENAI_API_KEY: 'fake', CODEX_HOME: join(home, '.codex') };
}

function write(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
