import type { ClientProfile } from '../../messages/client-profile.ts';
import { Verdict } from '../../verdict.ts';
import type { AgentRun } from './agent-run.ts';

/**
 * Holds the standard conversation, once: a plain turn and turns that tempt the agent to use its tools, with a client
 * that can do everything and with one that can do nothing. The checks that judge what was heard stand on it.
 */
export function converse(run: AgentRun): Promise<void> {
  return run.once('conversation', async () => {
    try {
      const { answer } = await run.plainTurn();
      if (answer.kind !== 'result') return;
      await temptWithTools(run, 'full');
      await temptWithTools(run, 'bare');
    } catch (error) {
      // Whatever stopped it has a check of its own; what was heard until then is judged.
      if (!(error instanceof Verdict)) throw error;
    }
  });
}

async function temptWithTools(run: AgentRun, profile: ClientProfile): Promise<void> {
  const { toolCall, permission, terminal, elicitation } = run.options.prompts;
  const session = await run.session(profile);
  for (const prompt of [toolCall, permission, terminal, elicitation]) {
    if (prompt === undefined) continue;
    const { answer } = await session.prompt(prompt);
    if (answer.kind === 'silence' || answer.kind === 'ended') return;
  }
  // What still trickles in after the answer is part of the evidence.
  await session.probe.settle();
}
