import { isAbsolutePath, isMethodAvailable, METHODS, type MethodSpec } from '@parley/protocol';
import { asNotification, asRequest, fieldsOf } from '../../messages/message.ts';
import type { Frame } from '../../messages/trace.ts';
import { show } from '../../probe/answer.ts';
import { expect, notApplicable, notProvoked } from '../../verdict.ts';
import { BOTH } from '../../versions/protocol.ts';
import { wordsOf } from '../../versions/words.ts';
import { type ClientCheck, clientCheck, clientLint } from '../client-check.ts';
import { type ClientRun, explainSilence, requestsOf, sentByClient } from '../run/client-run.ts';

const OPENING = ['session/new', 'session/load', 'session/resume'];

/** Initialization, authentication, sessions and prompts. */
export const setup: readonly ClientCheck[] = [
  clientLint({
    id: 'CINIT-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'initialization',
    source: 'protocol/v1/initialization',
    rules: [26],
    says: 'initialize comes before everything else',
    unheard: 'The client sent nothing.',
    *look(run) {
      const [frame] = sentByClient(run);
      if (!frame) return;
      const method = asRequest(frame)?.method;
      yield method === 'initialize'
        ? { frame }
        : { frame, problem: { expected: 'initialize first', got: method ?? frame.text.slice(0, 80) } };
    },
  }),
  clientLint({
    id: 'CINIT-02',
    protocols: BOTH,
    level: 'MUST',
    group: 'initialization',
    source: 'protocol/v1/initialization',
    rules: [28],
    says: 'protocolVersion is a whole number, the latest that the client supports',
    unheard: 'The client did not initialize.',
    *look(run) {
      for (const frame of requestsOf(run, 'initialize')) {
        const { protocolVersion } = paramsOf(frame);
        const isGood =
          Number.isInteger(protocolVersion) && Number(protocolVersion) >= 1 && Number(protocolVersion) <= 65_535;
        yield isGood
          ? { frame }
          : { frame, problem: { expected: 'a whole number from 1', got: show(protocolVersion) } };
      }
    },
  }),
  clientLint({
    id: 'CINIT-03',
    level: 'SHOULD',
    group: 'initialization',
    source: 'protocol/v1/initialization',
    rules: [35],
    says: 'The client tells its name and version in clientInfo',
    unheard: 'The client did not initialize.',
    *look(run) {
      for (const frame of requestsOf(run, 'initialize')) {
        const { name, version } = fieldsOf(paramsOf(frame).clientInfo);
        yield name && version
          ? { frame }
          : { frame, problem: { expected: 'clientInfo with name and version', got: show(paramsOf(frame).clientInfo) } };
      }
    },
  }),
  clientCheck({
    id: 'CINIT-04',
    protocols: BOTH,
    level: 'SHOULD',
    group: 'initialization',
    source: 'protocol/v1/initialization',
    rules: [32],
    says: 'An agent that answers with a version the client does not speak is left alone',
    scenario: 'other-version',
    judge(run) {
      if (run.frames.length === 0) notProvoked(explainSilence(run));
      const session = OPENING.flatMap((method) => requestsOf(run, method))[0];
      expect(session === undefined, 'no session', session?.text ?? '');
    },
  }),
  clientCheck({
    id: 'CINIT-05',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'initialization',
    source: 'protocol/v1/initialization',
    rules: [32],
    says: 'A client that cannot speak the agent’s version ends with an error',
    scenario: 'other-version',
    judge(run) {
      if (run.frames.length === 0) notProvoked(explainSilence(run));
      if (!run.exit) notApplicable('The client does not end by itself.');
      expect(run.exit.code !== 0, 'an exit code other than 0', '0');
    },
  }),
  clientCheck({
    id: 'CAUTH-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'authentication',
    source: 'schema, AuthenticateRequest',
    rules: [42, 43],
    says: 'authenticate names a method that was offered, and never one of type "terminal"',
    scenario: 'authentication',
    judge(run) {
      const calls = requestsOf(run, wordsOf(run.protocol).login);
      if (calls.length === 0) notProvoked('The client did not authenticate by itself.');
      for (const frame of calls) {
        const { methodId } = paramsOf(frame);
        expect(methodId === 'parley-key', '"parley-key", the only method that may be called', show(methodId));
      }
    },
  }),
  clientCheck({
    id: 'CAUTH-02',
    level: 'MAY',
    group: 'authentication',
    source: 'official SDK',
    rules: [18],
    says: 'null in place of an empty result is accepted',
    scenario: 'authentication',
    judge(run) {
      const [call] = requestsOf(run, 'authenticate');
      if (!call) notProvoked('The client did not authenticate by itself.');
      const next = requestsOf(run, 'session/new').find(({ number }) => number > call.number);
      expect(next !== undefined, 'session/new after authenticate', 'none');
    },
  }),
  clientCheck({
    id: 'CAUTH-03',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'authentication',
    source: 'users meet spinners that never end',
    rules: [41, 49],
    says: 'A session that is refused for lack of authentication leads on or to an end, not to waiting',
    scenario: 'authentication',
    judge(run) {
      if (requestsOf(run, 'session/new').length === 0) notProvoked(explainSilence(run));
      const wentOn = requestsOf(run, wordsOf(run.protocol).login).length > 0;
      expect(wentOn || run.exit !== undefined, 'authenticate, or an end', 'neither');
    },
  }),
  clientLint({
    id: 'CSESS-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'sessions',
    source: 'protocol/v1/session-setup',
    rules: [50],
    says: 'The cwd of a session is an absolute path',
    unheard: 'The client opened no session.',
    *look(run) {
      for (const frame of OPENING.flatMap((method) => requestsOf(run, method))) {
        const { cwd } = paramsOf(frame);
        const isGood = typeof cwd === 'string' && isAbsolutePath(cwd);
        yield isGood ? { frame } : { frame, problem: { expected: 'an absolute path', got: show(cwd) } };
      }
    },
  }),
  clientLint({
    id: 'CSESS-02',
    level: 'MUST',
    group: 'sessions',
    source: 'schema, NewSessionRequest',
    rules: [54],
    says: 'mcpServers is always there, if only as an empty list',
    unheard: 'The client opened no session.',
    *look(run) {
      for (const frame of requestsOf(run, 'session/new')) {
        const { mcpServers } = paramsOf(frame);
        yield Array.isArray(mcpServers) ? { frame } : { frame, problem: { expected: 'a list', got: show(mcpServers) } };
      }
    },
  }),
  clientLint({
    id: 'CSESS-03',
    level: 'MUST',
    group: 'sessions',
    source: 'protocol/v1/initialization',
    rules: [33, 37, 46, 60, 63, 64, 65],
    says: 'A method that the agent did not advertise is never called',
    unheard: 'The client sent nothing.',
    *look(run) {
      // No scenario advertises any of them; some say so with null.
      for (const frame of sentByClient(run)) {
        const method = asRequest(frame)?.method ?? asNotification(frame)?.method ?? '';
        const spec: MethodSpec | undefined = Object.hasOwn(METHODS, method)
          ? METHODS[method as keyof typeof METHODS]
          : undefined;
        if (!spec) continue;
        const isFree = isMethodAvailable(spec, {});
        yield isFree
          ? { frame }
          : { frame, problem: { expected: `no ${method}`, got: `${method}, which needs ${spec.gate.join(' or ')}` } };
      }
    },
  }),
  clientLint({
    id: 'CSESS-04',
    protocols: BOTH,
    level: 'MUST',
    group: 'sessions',
    source: 'protocol/v1/session-setup',
    rules: [55, 57],
    says: 'MCP servers and directories that the agent cannot use are not passed to it',
    unheard: 'The client opened no session.',
    *look(run) {
      for (const frame of requestsOf(run, 'session/new')) {
        const { mcpServers, additionalDirectories } = paramsOf(frame);
        // An agent of version 1 takes servers over stdio, which have no type; that of version 2 takes none.
        const typed = (Array.isArray(mcpServers) ? mcpServers : []).find(
          (server) => run.protocol === 2 || fieldsOf(server).type !== undefined,
        );
        const roots = Array.isArray(additionalDirectories) ? additionalDirectories : [];
        const got = typed
          ? `a server ${show(typed)}`
          : roots.length > 0
            ? `additionalDirectories ${show(roots)}`
            : undefined;
        yield got === undefined ? { frame } : { frame, problem: { expected: 'only what was advertised', got } };
      }
    },
  }),
  clientCheck({
    id: 'CSESS-05',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'sessions',
    source: 'protocol/v1/session-config-options',
    rules: [118, 121],
    says: 'Unknown categories, types and fields of a session do not stop the client from using it',
    scenario: 'rich-session',
    judge: requireTurn,
  }),
  clientCheck({
    id: 'CSESS-06',
    protocols: BOTH,
    level: 'ROBUST',
    group: 'sessions',
    source: 'agents tell their commands before they answer session/new',
    rules: [117],
    says: 'An update before the answer to session/new does no harm',
    scenario: 'early-update',
    judge: requireTurn,
  }),
  clientLint({
    id: 'CPROMPT-01',
    protocols: BOTH,
    level: 'MUST',
    group: 'prompt turn',
    source: 'protocol/v1/prompt-turn',
    rules: [75],
    says: 'A prompt holds only content that the agent takes',
    unheard: 'The client sent no prompt.',
    *look(run) {
      for (const frame of requestsOf(run, 'session/prompt')) {
        const { prompt } = paramsOf(frame);
        const types = (Array.isArray(prompt) ? prompt : []).map((block) => String(fieldsOf(block).type));
        const bad = types.find((type) => type !== 'text' && type !== 'resource_link');
        yield bad === undefined ? { frame } : { frame, problem: { expected: 'text and links only', got: show(bad) } };
      }
    },
  }),
  clientLint({
    id: 'CPROMPT-02',
    protocols: BOTH,
    level: 'MUST',
    group: 'prompt turn',
    source: 'protocol/v1/session-setup',
    rules: [51],
    says: 'A prompt names a session that the agent opened',
    unheard: 'The client sent no prompt.',
    *look(run) {
      for (const frame of requestsOf(run, 'session/prompt')) {
        const { sessionId } = paramsOf(frame);
        yield sessionId === 'parley-session-1'
          ? { frame }
          : { frame, problem: { expected: '"parley-session-1"', got: show(sessionId) } };
      }
    },
  }),
];

function paramsOf(frame: Frame): Readonly<Record<string, unknown>> {
  return fieldsOf(asRequest(frame)?.params);
}

function requireTurn(run: ClientRun): void {
  if (requestsOf(run, 'session/new').length === 0) notProvoked(explainSilence(run));
  expect(run.marks.includes('turn'), 'a prompt in that session', 'none');
}
