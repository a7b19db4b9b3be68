import { type Input, objectSchema, requireText } from '../input.ts';
import type { Tool } from '../tool.ts';

interface Args {
  readonly plan: string;
}

export const exitPlanMode: Tool<Args> = {
  name: 'exit_plan_mode',
  kind: 'switch_mode',
  level: 1,
  description:
    'Puts your finished plan to the person and asks whether to carry it out. Use it only when you are planning and the plan is ready. If they agree you can change files from then on.',
  inputSchema: objectSchema({ plan: { type: 'string', description: 'The plan, in Markdown.' } }, ['plan']),
  parse: (input: Input) => ({ plan: requireText(input, 'plan') }),
  describe: ({ plan }) => ({ title: 'Carry out this plan?', text: plan }),
  async run({ operations, ask }) {
    if (await operations.session.exitPlanMode(ask)) {
      return { text: 'The person agreed. Carry the plan out now.' };
    }
    return {
      text: 'The person wants to keep planning. Ask what should be different, or improve the plan.',
      isError: true,
    };
  },
};
