import { formatPath, INVALID, type MethodSpec, takeProblem, type Validator } from '@parley/protocol';
import { v1Unstable } from '@parley/protocol/unstable';
import { v2Unstable } from '@parley/protocol/v2/unstable';
import { isRecord } from '../config/check-config.ts';
import type { MessageEntry, TracedMessage } from './trace-entry.ts';

/** Reads along with a wire, and tells what is wrong with a message by the schema of the version that was agreed upon. */
export interface MessageJudge {
  /** Undefined when nothing is wrong, or nothing can be told. Messages must come in their order. */
  judge(entry: MessageEntry): string | undefined;
}

interface Schema {
  readonly methods: Readonly<Record<string, MethodSpec>>;
  requestSpec(method: string): { readonly params: Validator<unknown>; readonly result: Validator<unknown> } | undefined;
  notificationSpec(method: string): { readonly params: Validator<unknown> } | undefined;
}

const SCHEMAS: Readonly<Record<number, Schema>> = { 1: v1Unstable, 2: v2Unstable };

/** Requests whose answers have not come; more are not judged. */
const MAX_OPEN = 10_000;

export function createMessageJudge(): MessageJudge {
  /** Methods of open requests, by direction and id. */
  const open = new Map<string, string>();
  let version: number | undefined;

  return {
    judge({ message, direction }) {
      const { method } = message;
      if (typeof method !== 'string') {
        const asked = `${direction === 'in' ? 'out' : 'in'} ${JSON.stringify(message.id)}`;
        const request = open.get(asked);
        open.delete(asked);
        if (request === undefined || !('result' in message)) return undefined;
        if (request === 'initialize') version = versionIn(message.result) ?? version;
        return judgeResult(request, message.result, version);
      }
      if ('id' in message && open.size < MAX_OPEN) open.set(`${direction} ${JSON.stringify(message.id)}`, method);
      // What is offered is judged as what it is an offer of; what is spoken is known with the answer.
      const spoken = method === 'initialize' ? versionIn(message.params) : version;
      return judgeCall(message, direction, spoken);
    },
  };
}

function versionIn(value: unknown): number | undefined {
  const version = isRecord(value) ? value.protocolVersion : undefined;
  return typeof version === 'number' && Object.hasOwn(SCHEMAS, version) ? version : undefined;
}

function judgeCall(message: TracedMessage, direction: 'in' | 'out', version: number | undefined): string | undefined {
  const schema = version === undefined ? undefined : SCHEMAS[version];
  const method = String(message.method);
  if (!schema || method.startsWith('_') || method.startsWith('$/')) return undefined;
  const isRequest = 'id' in message;
  const spec = isRequest ? schema.requestSpec(method) : schema.notificationSpec(method);
  if (!spec) {
    const isOther = (isRequest ? schema.notificationSpec(method) : schema.requestSpec(method)) !== undefined;
    if (!isOther) return `${method} is no method of version ${version}`;
    return isRequest ? `${method} is a notification, and has no id` : `${method} is a request, and needs an id`;
  }
  const { receiver } = schema.methods[method] ?? {};
  const to = direction === 'out' ? 'agent' : 'client';
  if ((receiver === 'agent' || receiver === 'client') && receiver !== to && isOneWay(schema, method)) {
    return `${method} is sent to the ${receiver}, not by it`;
  }
  return check(spec.params, message.params ?? {});
}

/** Some methods go one way as a request and the other way as a notification. */
function isOneWay(schema: Schema, method: string): boolean {
  return schema.requestSpec(method) === undefined || schema.notificationSpec(method) === undefined;
}

function judgeResult(method: string, result: unknown, version: number | undefined): string | undefined {
  const spec = version === undefined ? undefined : SCHEMAS[version]?.requestSpec(method);
  return spec && check(spec.result, result ?? {});
}

function check(validate: Validator<unknown>, value: unknown): string | undefined {
  if (validate(value) !== INVALID) return undefined;
  const { path, expected, received } = takeProblem();
  return `${formatPath(path) || 'the value'}: expected ${expected}, got ${received}`;
}
