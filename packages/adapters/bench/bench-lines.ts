/** How many pieces of text the command writes. */
export const EVENTS = 10_000;

/** The lines of a long answer, as Claude Code streams one. */
export function writeLines(events: number): string {
  const common = {
    session_id: '87ad962f-96d5-4852-80ef-af3d13d53a7b',
    parent_tool_use_id: null,
    uuid: '9df1b1ef-b1b1-4877-9395-cb3d015195b4',
    api_message_id: 'msg_01',
  };
  const words = Array.from({ length: events }, (_, index) => `word ${index} `);
  const lines = [
    { type: 'system', subtype: 'init', model: 'some-model', tools: [], ...common },
    ...words.map((text) => ({
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } },
      ...common,
    })),
    { type: 'result', subtype: 'success', is_error: false, stop_reason: 'end_turn', result: words.join(''), ...common },
  ];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}
