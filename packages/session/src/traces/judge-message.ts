import { isRecord } from '@parley/jsonrpc/internal';
import {
  checkRules,
  formatPath,
  INVALID,
  type MethodSpec,
  type Problem,
  takeProblem,
  type Validator,
} from '@parley/protocol';
import { v1Unstable } from '@parley/protocol/unstable';
import { checkRules as checkRules2 } from '@parley/protocol/v2';
import { v2Unstable } from '@parley/protocol/v2/unstable';
import { updateVariant } from './describe-message.ts';
import { createPairing } from './pairing.ts';
import { type SpecificationSection, specificationOf } from './specification.ts';
import type { Direction, MessageEntry, TracedMessage } from './trace-entry.ts';

/** What the schema and the rules of the spoken version say of a message. */
export type Verdict =
  | { readonly status: 'valid' }
  /** Nothing can be told, and why. */
  | { readonly status: 'unknown'; readonly why: string }
  | {
      readonly status: 'invalid';
      /** What is wrong, and where. */
      readonly problem: string;
      /** What the specification asks for. */
      readonly rule: string;
      readonly specification: SpecificationSection;
    };

/** Reads along with the wires of a trace, and judges each message by the version that was agreed upon there. */
export interface MessageJudge {
  /** Messages must come in their order. */
  judge(entry: MessageEntry): Verdict;
}

interface Schema {
  readonly methods: Readonly<Record<string, MethodSpec>>;
  requestSpec(method: string): { readonly params: Validator<unknown>; readonly result: Validator<unknown> } | undefined;
  notificationSpec(method: string): { readonly params: Validator<unknown> } | undefined;
}

/** What is known of one wire. */
interface Wire {
  version: number | undefined;
  /** The agent's answer to `initialize`. */
  agent: TracedMessage | undefined;
}

interface Broken {
  readonly problem: string;
  readonly rule: string;
}

const SCHEMAS: Readonly<Record<number, Schema>> = { 1: v1Unstable, 2: v2Unstable };
const VALID: Verdict = { status: 'valid' };

export function createMessageJudge(): MessageJudge {
  const pairing = createPairing<string>();
  const wires = new Map<string, Wire>();
  const wireOf = ({ connection = '', protocol }: MessageEntry): Wire => {
    const wire: Wire = wires.get(connection) ?? { version: undefined, agent: undefined };
    wire.version ??= protocol;
    wires.set(connection, wire);
    return wire;
  };

  return {
    judge(entry) {
      const { message, direction } = entry;
      const wire = wireOf(entry);
      const asked = pairing.pair(entry, String(message.method));
      if (typeof message.method === 'string') {
        // What is offered is judged as what it is an offer of; what is spoken is known with the answer.
        const spoken = message.method === 'initialize' ? versionIn(message.params) : wire.version;
        return judgeCall(message, direction, { ...wire, version: spoken });
      }
      if ('error' in message) return judgeError(message.error, asked, wire.version);
      if (asked === undefined) return { status: 'unknown', why: 'The request that it answers was not seen.' };
      if (asked === 'initialize' && isRecord(message.result)) {
        wire.version = versionIn(message.result) ?? wire.version;
        wire.agent = message.result;
      }
      return judgeResult(asked, message.result, wire.version);
    },
  };
}

function versionIn(value: unknown): number | undefined {
  const version = isRecord(value) ? value.protocolVersion : undefined;
  return typeof version === 'number' && Object.hasOwn(SCHEMAS, version) ? version : undefined;
}

function judgeCall(message: TracedMessage, direction: Direction, wire: Wire): Verdict {
  const method = String(message.method);
  if (method.startsWith('_') || method.startsWith('$/')) return VALID;
  const { version } = wire;
  const schema = version === undefined ? undefined : SCHEMAS[version];
  if (!schema || version === undefined) return UNKNOWN_VERSION;
  const found = findInCall(message, { method, direction, schema, wire });
  return toVerdict(found, specificationOf(method, version, updateVariant(message)));
}

interface CallParts {
  readonly method: string;
  readonly direction: Direction;
  readonly schema: Schema;
  readonly wire: Wire;
}

function findInCall(message: TracedMessage, { method, direction, schema, wire }: CallParts): Broken | undefined {
  const isRequest = 'id' in message;
  const spec = isRequest ? schema.requestSpec(method) : schema.notificationSpec(method);
  if (!spec) return misused(method, isRequest, schema, wire.version);
  const { receiver } = schema.methods[method] ?? {};
  const to = direction === 'out' ? 'agent' : 'client';
  if ((receiver === 'agent' || receiver === 'client') && receiver !== to && isOneWay(schema, method)) {
    const problem = `${method} is sent to the ${receiver}, not by it`;
    return { problem, rule: `The ${receiver} receives ${method}.` };
  }
  const params = spec.params(message.params ?? {});
  return params === INVALID ? toBroken(takeProblem()) : checkRule(method, params, wire);
}

function misused(method: string, isRequest: boolean, schema: Schema, version: number | undefined): Broken {
  const isOther = (isRequest ? schema.notificationSpec(method) : schema.requestSpec(method)) !== undefined;
  if (!isOther) {
    const rule = 'Methods that the specification does not name begin with "_".';
    return { problem: `${method} is no method of version ${version}`, rule };
  }
  const rule = `${method} is a ${isRequest ? 'notification' : 'request'}.`;
  const problem = isRequest ? `${method} is a notification, and has no id` : `${method} is a request, and needs an id`;
  return { problem, rule };
}

/** Some methods go one way as a request and the other way as a notification. */
function isOneWay(schema: Schema, method: string): boolean {
  return schema.requestSpec(method) === undefined || schema.notificationSpec(method) === undefined;
}

/** Methods whose rules depend on what the agent has advertised. */
const NEEDS_CAPABILITIES: ReadonlySet<string> = new Set([
  'session/prompt',
  'session/new',
  'session/load',
  'session/resume',
]);

/** The rules that the schema does not express. */
function checkRule(method: string, params: unknown, { version, agent }: Wire): Broken | undefined {
  if (!agent && NEEDS_CAPABILITIES.has(method)) return undefined;
  const capabilities = fieldsOf(version === 2 ? agent?.capabilities : agent?.agentCapabilities);
  const problem =
    version === 2
      ? checkRules2(method as never, params as never, fieldsOf(capabilities.session))
      : checkRules(method as never, params as never, capabilities);
  return problem && toBroken(problem);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function judgeResult(method: string, result: unknown, version: number | undefined): Verdict {
  if (version === undefined) return UNKNOWN_VERSION;
  const spec = SCHEMAS[version]?.requestSpec(method);
  if (!spec) return { status: 'unknown', why: `${method} is no request of version ${version}.` };
  return toVerdict(check(spec.result, result ?? {}), specificationOf(method, version));
}

function judgeError(error: unknown, method = '', version = 1): Verdict {
  const isError = isRecord(error) && Number.isInteger(error.code) && typeof error.message === 'string';
  if (isError) return VALID;
  const rule = 'An error has a whole number as its code, and a message.';
  return toVerdict({ problem: 'error: expected a code and a message', rule }, specificationOf(method, version));
}

function check(validate: Validator<unknown>, value: unknown): Broken | undefined {
  return validate(value) === INVALID ? toBroken(takeProblem()) : undefined;
}

function toBroken({ path, expected, received }: Problem): Broken {
  const where = formatPath(path) || 'the value';
  return {
    problem: `${where}: expected ${expected}, got ${received}`,
    rule: `At ${where} the specification has: ${expected}.`,
  };
}

function toVerdict(broken: Broken | undefined, specification: SpecificationSection): Verdict {
  return broken ? { status: 'invalid', ...broken, specification } : VALID;
}

const UNKNOWN_VERSION: Verdict = {
  status: 'unknown',
  why: 'The version of the protocol is not known: the trace does not have the answer to initialize.',
};
