import type { ToolCallHandle } from '@parley/agent';
import type { ToolCallPart } from '@parley/models/model';
import type { Tool, ToolDescription } from '../tools/tool.ts';

/** A call with good arguments, as the person sees it. */
export interface ShownCall {
  readonly tool: Tool;
  readonly args: unknown;
  /** The arguments as the model wrote them. */
  readonly input: ToolCallPart['input'];
  readonly description: ToolDescription;
  readonly shown: ToolCallHandle;
}
