import { RpcError } from '@parley/jsonrpc';
import { isAbsolutePath } from '@parley/protocol';
import type { Finding } from '../../lints/finding.ts';
import { checkParams } from '../../lints/schema.ts';
import { asRequest, fieldsOf } from '../../messages/message.ts';
import { requireResult, show } from '../../probe/answer.ts';
import { notProvoked } from '../../verdict.ts';
import { wordsOf } from '../../versions/words.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import type { Hearing } from '../run/agent-run.ts';

const group = 'files';
const source = 'protocol/v1/file-system';
const unheard = 'The agent asked the client for no file. Provoke it with --prompt-for-tool-call.';

export const files: readonly Check[] = [
  lint({
    id: 'FILE-01',
    level: 'MUST',
    group,
    source,
    rules: [127, 33],
    says: 'fs/* is never called when the client did not offer files',
    unheard: 'No turn was held with a client that offers no files.',
    look: (hearing) => forbidden(hearing, 'fs/'),
  }),
  lint({
    id: 'FILE-02',
    level: 'MUST',
    group,
    source,
    rules: [127],
    says: 'Requests for files fit the schema',
    unheard,
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const request = asRequest(frame);
        if (!request?.method.startsWith('fs/')) continue;
        const problem = checkParams(hearing.protocol, request.method, request.params);
        yield problem ? { frame, problem: { expected: 'valid params', got: problem.message } } : { frame };
      }
    },
  }),
  lint({
    id: 'FILE-03',
    level: 'MUST',
    group,
    source: 'protocol/v1/overview',
    rules: [102],
    says: 'Files are named by absolute paths, and lines are counted from 1',
    unheard,
    *look(hearing) {
      for (const frame of fromAgent(hearing)) {
        const request = asRequest(frame);
        if (!request?.method.startsWith('fs/')) continue;
        const { path, line } = fieldsOf(request.params);
        if (typeof path !== 'string' || !isAbsolutePath(path))
          yield { frame, problem: { expected: 'an absolute path', got: show(path) } };
        else if (line === 0) yield { frame, problem: { expected: 'a line from 1', got: '0' } };
        else yield { frame };
      }
    },
  }),
  check({
    id: 'FILE-04',
    level: 'ROBUST',
    group,
    source,
    rules: [128],
    says: 'A turn survives a file that the client cannot read',
    async run({ requireTurns, newSession, prompts }) {
      await requireTurns();
      const session = await newSession();
      let wasAsked = false;
      const refuse = (): never => {
        wasAsked = true;
        throw new RpcError(-32002, 'Resource not found');
      };
      const turn = await session.probe.respondDuring('fs/read_text_file', refuse, () =>
        session.prompt(prompts.toolCall),
      );
      if (!wasAsked) notProvoked(unheard);
      requireResult(turn.answer, 'session/prompt');
    },
  }),
];

/** Turns with a client that offers nothing, each with the forbidden call if there was one. */
export function* forbidden(hearing: Hearing, prefix: string): Iterable<Finding> {
  if (hearing.profile !== 'bare') return;
  for (const frame of fromAgent(hearing)) {
    if (wordsOf(hearing.protocol).isTurnEnd(frame)) yield { frame };
    const method = asRequest(frame)?.method;
    if (method?.startsWith(prefix)) yield { frame, problem: { expected: `no ${prefix}* request`, got: method } };
  }
}
