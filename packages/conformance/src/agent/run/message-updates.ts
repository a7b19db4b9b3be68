/** Updates that tell what was said, as opposed to what is offered now. */
export const MESSAGES: readonly string[] = [
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'user_message',
  'agent_message',
  'agent_thought',
  'tool_call_content_chunk',
  'plan_update',
];
