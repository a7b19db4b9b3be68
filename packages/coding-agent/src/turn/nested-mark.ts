/**
 * Says below which call of ours a call is shown. Version 1 has no word for the calls of sub-agents and other agents; clients
 * of claude-agent-acp look for their parent here.
 */
export function nestedMark(parentId: string): Readonly<Record<string, unknown>> {
  return { claudeCode: { parentToolUseId: parentId } };
}
