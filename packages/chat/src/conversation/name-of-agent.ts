import { formatAddress } from '@parley/client';
import { shortLine } from '@parley/terminal';
import type { Conversation } from './conversation.ts';

const MAX_NAME = 40;

/** What the agent is called. A command line tells less than what the program behind it calls itself. */
export function nameOfAgent({ target, connection }: Pick<Conversation, 'target' | 'connection'>): string {
  const { agentInfo } = connection ?? {};
  const isCommand = target.agent.title === formatAddress(target.agent.address);
  const name = isCommand ? (agentInfo?.title ?? agentInfo?.name ?? target.agent.title) : target.agent.title;
  return shortLine(name, MAX_NAME);
}

/** What the agent itself says it is, with its version; the name under which we know it, where it says nothing. */
export function nameWithVersion(conversation: Pick<Conversation, 'target' | 'connection'>): string {
  const { agentInfo } = conversation.connection ?? {};
  return agentInfo ? `${agentInfo.title ?? agentInfo.name} ${agentInfo.version}` : nameOfAgent(conversation);
}
