import type { Meta, SystemPrompt } from '@parley/agent';
import { TOOL_CLASSES } from '@parley/policy';
import type { Tool } from '../tools/tool.ts';

/** What a client sets for one session besides what the protocol has fields for. */
export interface SessionSettings {
  /** Takes the place of what the model is told about who it is; facts about the folder and the mode stay. */
  readonly systemPrompt?: string;
  /** Is told to the model after everything else. */
  readonly appendedPrompt?: string;
  /** The tools that exist, by name; none at all when it is empty. */
  readonly allowedTools?: readonly string[];
  /** How many requests one turn may make to the model. */
  readonly maxTurns?: number;
  /** What the agent was started with, told before what the client appends. */
  readonly initialMessage?: string;
}

/**
 * Reads them from `_meta` of the request that opens a session, where clients of claude-agent-acp put them:
 * `{systemPrompt: "..." | {append: "..."}, claudeCode: {options: {allowedTools, maxTurns}}}`, and from the system prompt
 * that the protocol has a field for, which wins where both are given. Undefined when nothing is set.
 */
export function readSessionSettings(meta: Meta | undefined, prompt?: SystemPrompt): SessionSettings | undefined {
  const { append } = asRecord(meta?.systemPrompt);
  const { allowedTools, maxTurns } = asRecord(asRecord(meta?.claudeCode).options);
  const settings: SessionSettings = {
    ...(isText(meta?.systemPrompt) && { systemPrompt: meta.systemPrompt }),
    ...(isText(append) && { appendedPrompt: append }),
    ...(prompt?.mode === 'override' && { systemPrompt: wordPrompt(prompt) }),
    ...(prompt?.mode === 'append' && { appendedPrompt: wordPrompt(prompt) }),
    ...(Array.isArray(allowedTools) && { allowedTools: allowedTools.filter(isText) }),
    ...(typeof maxTurns === 'number' && Number.isInteger(maxTurns) && maxTurns > 0 && { maxTurns }),
  };
  return Object.keys(settings).length > 0 ? settings : undefined;
}

/** The tools of a list that the settings allow: by our own names, or by families as in permission rules: `Read`, `Bash`. */
export function toolsAllowedBy(tools: readonly Tool[], { allowedTools }: SessionSettings): readonly Tool[] {
  if (!allowedTools) return tools;
  const names = new Set(allowedTools.map((name) => name.toLowerCase()));
  return tools.filter(({ name, kind }) =>
    [name, name.replace(/^sandbox_/, ''), ...familiesOf(kind)].some((each) => names.has(each.toLowerCase())),
  );
}

function wordPrompt({ content }: SystemPrompt): string {
  return content
    .map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
      return block.type === 'resource_link' ? block.uri : '';
    })
    .join('\n\n');
}

function familiesOf(kind: Tool['kind']): readonly string[] {
  return TOOL_CLASSES.filter(({ kinds }) => kinds.includes(kind)).map(({ name }) => name);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
