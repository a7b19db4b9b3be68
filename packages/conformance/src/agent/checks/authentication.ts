import { fieldsOf } from '../../messages/message.ts';
import { AUTH_REQUIRED, requireError, requireResult, show } from '../../probe/answer.ts';
import { sendNewSession } from '../../probe/session.ts';
import { expect, notApplicable, notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { type Check, check } from '../agent-check.ts';
import { fromAgent, lint } from '../agent-lint.ts';
import type { CheckContext } from '../run/check-context.ts';

const group = 'authentication';
const source = 'protocol/v1/authentication';

export const authentication: readonly Check[] = [
  check({
    id: 'AUTH-01',
    protocols: BOTH,
    level: 'MAY',
    group,
    source,
    rules: [41],
    says: 'An agent that wants to be authenticated first refuses session/new with -32000 and offers a method',
    async run({ agent, facts, workspace }) {
      const answer = await sendNewSession(await agent(), { cwd: workspace.cwd });
      if (answer.kind === 'result')
        notApplicable('The agent opens sessions without authentication, or is authenticated.');
      requireError(answer, [AUTH_REQUIRED]);
      expect((facts.authMethods ?? []).length > 0, 'a method in authMethods', 'none');
    },
  }),
  check({
    id: 'AUTH-02',
    protocols: BOTH,
    level: 'ROBUST',
    group,
    source: 'schema, AuthenticateRequest',
    rules: [42],
    says: 'authenticate with a method that was not offered is refused',
    async run(context) {
      requireAuthMethods(context);
      const probe = await context.abused();
      requireError(await probe.request(context.words.login, { methodId: 'parley-no-such-method' }));
    },
  }),
  lint({
    id: 'AUTH-03',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [44],
    says: 'A method of type "terminal" is offered only to a client that can authenticate in a terminal',
    unheard: 'No client without auth.terminal was answered.',
    *look(hearing) {
      if (hearing.profile !== 'bare') return;
      for (const frame of fromAgent(hearing)) {
        const { authMethods, protocolVersion } = fieldsOf(fieldsOf(frame.value).result);
        if (protocolVersion === undefined) continue;
        const methods = Array.isArray(authMethods) ? authMethods : [];
        const terminal = methods.find((method) => fieldsOf(method).type === 'terminal');
        yield terminal ? { frame, problem: { expected: 'no terminal method', got: show(terminal) } } : { frame };
      }
    },
  }),
  check({
    id: 'AUTH-04',
    protocols: BOTH,
    level: 'MUST',
    group,
    source,
    rules: [42, 48],
    says: 'Each authentication method has an id of its own and a name',
    async run(context) {
      requireAuthMethods(context);
      const { answer } = await raw(context);
      const methods = fieldsOf(answer).authMethods as readonly unknown[];
      const name = context.words.version === 1 ? 'id' : 'methodId';
      const ids = methods.map((method) => fieldsOf(method)[name]);
      for (const [index, method] of methods.entries()) {
        const id = ids[index];
        const isGood = typeof id === 'string' && typeof fieldsOf(method).name === 'string';
        expect(isGood, `a method with ${name} and name`, show(method));
      }
      expect(new Set(ids).size === ids.length, 'ids that differ', show(ids));
    },
  }),
  check({
    id: 'AUTH-05',
    level: 'MUST',
    group,
    source,
    rules: [46],
    needs: 'agentCapabilities.auth.logout',
    says: 'logout works where it is advertised',
    async run({ allowLogout, freshInitialized }) {
      if (!allowLogout) notProvoked('It would really log you out. Allow it with --allow-logout.');
      requireResult(await (await freshInitialized()).request('logout', {}), 'logout');
    },
  }),
];

function requireAuthMethods({ facts }: CheckContext): void {
  if ((facts.authMethods ?? []).length === 0) notApplicable('The agent offers no authentication method.');
}

/** The answer to `initialize` as it came, before anything was repaired. */
async function raw({ agent }: CheckContext): Promise<{ readonly answer: unknown }> {
  const probe = await agent();
  const frame = probe.received(0).find(({ value }) => 'protocolVersion' in fieldsOf(fieldsOf(value).result));
  return { answer: fieldsOf(frame?.value).result };
}
