import type { AgentCallOutcome, TaskOperations, TaskRequest } from '../operations/operations.ts';
import { createSeenFiles } from '../session/seen-files.ts';
import type { FileChange } from '../tools/tool.ts';
import { type OperationsContext, taskOperationsFor } from '../turn/operations-for.ts';
import type { TaskContext } from './run-task.ts';
import type { TaskLimits } from './task-limits.ts';

export interface TasksContext extends Omit<TaskContext, 'operations' | 'nested' | 'onChange'>, OperationsContext {
  readonly taskLimits?: TaskLimits;
  readonly taskModel: () => Promise<Pick<TaskContext, 'model' | 'offer'>>;
}

const DEFAULT_MAX_REQUESTS = 50;

/** The sub-agents of one turn. What runs them is loaded with the first. */
export function taskOperations(
  context: TasksContext,
  onChange: (changes: readonly FileChange[]) => void,
): TaskOperations {
  const { coding, taskLimits: { maxRequests = DEFAULT_MAX_REQUESTS } = {} } = context;
  return {
    async run(request: TaskRequest): Promise<AgentCallOutcome> {
      const [{ runTask }, used] = await Promise.all([import('./run-task.ts'), context.taskModel()]);
      const release = await coding.taskSlots.take(request.signal);
      try {
        const nested = coding.watchFolders(true);
        const operations = taskOperationsFor({ ...context, ...used }, nested.watch(createSeenFiles()));
        const limit = Math.min(maxRequests, context.maxRequests);
        return await runTask({ ...context, ...used, maxRequests: limit, operations, nested, onChange }, request);
      } finally {
        release();
      }
    },
  };
}
