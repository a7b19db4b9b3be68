/**
 * The updates an agent of the benchmark sends in turn, by name: a word of text, a page of text, an edit as editing agents report
 * it, and different edits, each told three times: when it is asked about, when it begins and when it is done.
 */
export const UPDATES = {
  'text-200b': () => [textChunk(60)],
  'text-4kb': () => [textChunk(3900)],
  'tool-call-4kb': () => [finishedEdit(1)],
  'edits-4kb': () => Array.from({ length: 100 }, (_, n) => 1000 * (n + 1)).flatMap(toldEdit),
};

function toldEdit(line) {
  const done = finishedEdit(line);
  return ['pending', 'in_progress', 'completed'].map((status) => ({ ...done, update: { ...done.update, status } }));
}

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
function finishedEdit(first) {
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
          oldText: lines(first, 16),
          newText: lines(first + 100, 18),
        },
        { type: 'content', content: { type: 'text', text: lines(first + 100, 12) } },
      ],
      locations: [{ path: '/home/ada/project/src/config/read-config.ts', line: 41 }],
      rawInput: { path: 'src/config/read-config.ts', oldText: sourceLine(first), newText: sourceLine(first + 100) },
      rawOutput: { changed: true, lines: 18 },
    },
  };
}

function sourceLine(n) {
  return `    const entry${n} = await readEntry(folder, names[${n}]); // one of many\n`;
}
