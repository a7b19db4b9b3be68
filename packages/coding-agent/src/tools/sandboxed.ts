import type { Operations } from '../operations/operations.ts';
import type { Tool, ToolContext, ToolOutcome, ToolPreview } from './tool.ts';

/** The same tool, named `sandbox_*`, working in the sandbox only. Where there is no sandbox it says so and does nothing. */
export function createSandboxTool(tool: Tool): Tool {
  const { preview } = tool;
  const { outside_sandbox: _, ...properties } = (tool.inputSchema.properties ?? {}) as Record<string, unknown>;
  return {
    ...tool,
    inputSchema: { ...tool.inputSchema, properties },
    parse: ({ outside_sandbox: _outside, ...input }) => tool.parse(input),
    name: `sandbox_${tool.name}`,
    description: `In the sandbox, which has the workspace and the system's programs but no network: ${tool.description}`,
    describe(args, context) {
      const { title, ...description } = tool.describe(args, context);
      return { ...description, title: `In the sandbox: ${title}` };
    },
    ...(preview && {
      async preview(context: ToolContext<unknown>): Promise<ToolPreview> {
        const inside = await enter(context);
        return 'failure' in inside ? inside : preview(inside);
      },
    }),
    async run(context) {
      const inside = await enter(context);
      return 'failure' in inside ? inside.failure : tool.run(inside);
    },
  };
}

async function enter(context: ToolContext<unknown>): Promise<ToolContext<unknown> | { readonly failure: ToolOutcome }> {
  const entered = await context.operations.sandbox.enter();
  if (!entered.isThere) return { failure: { text: entered.because, isError: true } };
  const operations: Operations = { ...context.operations, ...entered.operations };
  return { ...context, operations };
}
