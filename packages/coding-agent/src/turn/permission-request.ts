import type { ToolRequest } from '@parley/policy';
import type { Tool, ToolDescription } from '../tools/tool.ts';

/** Thinking and asking need nobody's permission. No MCP tool is of these kinds. */
export function needsPermission({ kind, needsNoPermission = false }: Tool): boolean {
  return !needsNoPermission && kind !== 'think' && kind !== 'switch_mode';
}

/** The name that rules know, here and at the client. One agent is not the other, though one tool calls them all. */
export function ruleNameOf({ name }: Tool, { subject }: ToolDescription): string {
  return subject?.type === 'agent' ? `agent__${subject.name}` : name;
}

/** What a rule, the mode or the person decides about. */
export function toRequest(tool: Tool, description: ToolDescription): Partial<ToolRequest> {
  const { title, subject, undo } = description;
  return {
    tool: ruleNameOf(tool, description),
    kind: tool.kind,
    level: tool.level,
    title,
    ...(undo !== undefined && { hints: { rollbackSteps: undo } }),
    ...(subject?.type === 'paths' && { paths: subject.paths }),
    ...(subject?.type === 'url' && { url: subject.url }),
    ...(subject?.type === 'command' && { command: { type: 'line', line: subject.command }, cwd: subject.cwd }),
    // What an agent is asked is another thing each time.
    ...(subject?.type === 'agent' && { input: undefined }),
  };
}

/** In the sandbox there is another tool for it, and the local one does not exist. */
export function toReading({ name }: Tool, { title, subject }: ToolDescription): Partial<ToolRequest> {
  return {
    tool: name.startsWith('sandbox_') ? 'sandbox_read_file' : 'read_file',
    kind: 'read',
    level: 1,
    title,
    ...(subject?.type === 'paths' && { paths: subject.paths }),
  };
}
