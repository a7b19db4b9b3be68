/** The updates an agent of the benchmark sends, by name: a word of text, a page of text, an edit as editing agents report it. */
export const UPDATES = {
  'text-200b': () => textChunk(60),
  'text-4kb': () => textChunk(3900),
  'tool-call-4kb': finishedEdit,
};

function textChunk(characters) {
  return {
    sessionId: 's1',
    update: {
      sessionUpdate: 'agent_message_chunk',
      messageId: 'm1',
      content: { type: 'text', text: 'x'.repeat(characters) },
    },
  };
}

/** A finished edit: a diff, the tool's answer, where it happened, what went in and what came out. */
function finishedEdit() {
  const lines = (from, count) => Array.from({ length: count }, (_, n) => sourceLine(from + n)).join('');
  return {
    sessionId: 's1',
    update: {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'call_7',
      title: 'Edit src/config/read-config.ts',
      kind: 'edit',
      status: 'completed',
      content: [
        {
          type: 'diff',
          path: '/home/ada/project/src/config/read-config.ts',
          oldText: lines(1, 16),
          newText: lines(101, 18),
        },
        { type: 'content', content: { type: 'text', text: lines(101, 12) } },
      ],
      locations: [{ path: '/home/ada/project/src/config/read-config.ts', line: 41 }],
      rawInput: { path: 'src/config/read-config.ts', oldText: sourceLine(1), newText: sourceLine(101) },
      rawOutput: { changed: true, lines: 18 },
    },
  };
}

function sourceLine(n) {
  return `    const entry${n} = await readEntry(folder, names[${n}]); // one of many\n`;
}
