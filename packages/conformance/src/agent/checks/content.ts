import { join } from 'node:path';
import { type ContentBlock, fileUri } from '@parley/protocol';
import { requireError, requireResult } from '../../probe/answer.ts';
import { NOTES_FILE } from '../../run/workspace.ts';
import { notApplicable } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import type { CheckContext } from '../run/check-context.ts';

const group = 'content';
const source = 'protocol/v1/content';

/** One transparent pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A hundredth of a second of silence. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const IMAGE: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const AUDIO: ContentBlock = { type: 'audio', data: WAV, mimeType: 'audio/wav' };
const EMBEDDED: ContentBlock = {
  type: 'resource',
  resource: { uri: 'file:///parley/notes.txt', text: 'quince', mimeType: 'text/plain' },
};

export const content: readonly Check[] = [
  check({
    id: 'CONTENT-01',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'protocol/v1/initialization',
    rules: [76],
    says: 'A prompt may hold a resource_link',
    run: (context) =>
      accepts(context, {
        type: 'resource_link',
        uri: fileUri(join(context.workspace.cwd, NOTES_FILE)),
        name: NOTES_FILE,
      }),
  }),
  check({
    id: 'CONTENT-02',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [76],
    says: 'A prompt may hold several blocks of text, with any characters',
    run: (context) => accepts(context, { type: 'text', text: 'naïve café 😀 \u2028 \u0000 עברית' }),
  }),
  check({
    id: 'CONTENT-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [33, 75],
    needs: 'agentCapabilities.promptCapabilities.image',
    says: 'A prompt may hold an image where images are advertised',
    run: (context) => accepts(context, IMAGE),
  }),
  check({
    id: 'CONTENT-04',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [33, 75],
    needs: 'agentCapabilities.promptCapabilities.audio',
    says: 'A prompt may hold audio where audio is advertised',
    run: (context) => accepts(context, AUDIO),
  }),
  check({
    id: 'CONTENT-05',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [33, 75],
    needs: 'agentCapabilities.promptCapabilities.embeddedContext',
    says: 'A prompt may hold an embedded resource where embedded context is advertised',
    run: (context) => accepts(context, EMBEDDED),
  }),
  check({
    id: 'CONTENT-06',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'protocol/v1/prompt-turn',
    rules: [75],
    says: 'Content of a kind that was not advertised is refused',
    async run(context) {
      const { image, audio, embeddedContext } = context.facts.agentCapabilities?.promptCapabilities ?? {};
      const [block] = [...(image ? [] : [IMAGE]), ...(audio ? [] : [AUDIO]), ...(embeddedContext ? [] : [EMBEDDED])];
      if (!block) notApplicable('Every kind of content is advertised.');
      await context.requireTurns();
      const session = await context.newSession();
      requireError((await session.prompt([{ type: 'text', text: context.prompts.plain }, block])).answer);
    },
  }),
  check({
    id: 'CONTENT-07',
    protocols: BOTH,
    level: 'MUST',
    group,
    source: 'schema, x-deserialize-default-on-error',
    rules: [23],
    says: 'A malformed annotation of a block does not fail the prompt',
    run: (context) =>
      accepts(context, {
        type: 'text',
        text: 'hello',
        annotations: { audience: 'everyone', priority: 'high' },
      } as unknown as ContentBlock),
  }),
];

async function accepts({ requireTurns, newSession, prompts }: CheckContext, block: ContentBlock): Promise<void> {
  await requireTurns();
  const session = await newSession();
  const { answer } = await session.prompt([{ type: 'text', text: prompts.plain }, block]);
  requireResult(answer, 'session/prompt');
}
