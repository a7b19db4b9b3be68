import type { PlanEntry } from '@parley/session';
import { type Input, objectSchema, optionalList, ToolInputError } from '../input.ts';
import type { Tool } from '../tool.ts';

interface Args {
  readonly entries: readonly PlanEntry[];
}

const STATUSES = ['pending', 'in_progress', 'completed'] as const;
const PRIORITIES = ['high', 'medium', 'low'] as const;
const MAX_ENTRIES = 50;

export const updatePlan: Tool<Args> = {
  name: 'update_plan',
  kind: 'think',
  level: 1,
  isQuiet: true,
  description:
    'Shows the person your plan for a task of several steps, and how far you are. Send the whole list each time; keep one step in_progress while you work on it, and mark steps completed as soon as they are.',
  inputSchema: objectSchema(
    {
      entries: {
        type: 'array',
        maxItems: MAX_ENTRIES,
        items: objectSchema(
          {
            content: { type: 'string' },
            status: { type: 'string', enum: STATUSES },
            priority: { type: 'string', enum: PRIORITIES },
          },
          ['content', 'status'],
        ),
      },
    },
    ['entries'],
  ),
  parse(input: Input) {
    const entries = optionalList(input, 'entries');
    if (!entries || entries.length > MAX_ENTRIES) {
      throw new ToolInputError(`"entries" must be a list of at most ${MAX_ENTRIES} steps.`);
    }
    return { entries: entries.map(parseEntry) };
  },
  describe: () => ({ title: 'Update the plan' }),
  async run({ args, operations }) {
    operations.session.plan(args.entries);
    return { text: planResult(args.entries) };
  },
};

/** What the model hears of its plan. */
export function planResult(entries: readonly PlanEntry[]): string {
  const open = entries.filter(({ status }) => status !== 'completed').length;
  return open === 0 ? 'The plan is done.' : `The plan is shown; ${open} steps are open.`;
}

function parseEntry(entry: unknown): PlanEntry {
  const step = typeof entry === 'string' ? { content: entry } : entry;
  const { content, status, priority } = (step ?? {}) as Record<string, unknown>;
  if (typeof content !== 'string' || content === '') throw new ToolInputError('Each step needs a "content".');
  return {
    content,
    status: oneOf(status ?? 'pending', STATUSES),
    priority: oneOf(priority ?? 'medium', PRIORITIES),
  };
}

function oneOf<Value extends string>(value: unknown, values: readonly Value[]): Value {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new ToolInputError(`"${String(value)}" is not one of ${values.join(', ')}.`);
  return found;
}
