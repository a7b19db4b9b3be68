import { redactText } from '@parley/session/traces';
import { shortLine } from '@parley/terminal';
import type { GatewayEvent } from '../events/gateway-event.ts';

export interface TellEventsOptions {
  /** Also who comes and goes, and every turn. */
  readonly isVerbose: boolean;
  readonly say: (text: string) => void;
}

/** Tells the person at the terminal what they would want to know: agents that start and fail, and who is not let in. */
export function tellEvents({ isVerbose, say }: TellEventsOptions): (event: GatewayEvent) => void {
  return (event) => {
    const text = describe(event) ?? (isVerbose ? describeMore(event) : undefined);
    if (text !== undefined) say(redactText(shortLine(text, MAX_CHARACTERS)));
  };
}

/** An agent's last words may be long; a line is enough to know where to look. */
const MAX_CHARACTERS = 300;

function describe(event: GatewayEvent): string | undefined {
  switch (event.kind) {
    case 'agent_started':
      return `${event.agent}: started${withPid(event)}${forWhom(event)}`;
    case 'agent_stopped':
      return `${event.agent}: stopped${withPid(event)}`;
    case 'agent_crashed':
      return `${event.agent}: ${messageOf(event.error)}`;
    case 'client_refused': {
      const { status, message, remote = '', principal, suppressed } = event;
      const who = principal ?? (remote === '' ? 'somebody' : remote);
      const more = suppressed === 0 ? '' : ` (and ${suppressed} more)`;
      return `refused ${who}${status === undefined ? '' : ` with ${status}`}: ${message}${more}`;
    }
    case 'capped':
      return `${event.principal} has reached serve.caps.${event.cap}: ${event.limit}`;
    case 'store_changed':
      return event.isWritable ? 'sessions can be kept again' : `sessions cannot be kept: ${messageOf(event.error)}`;
    case 'audit_failed':
      return `the audit cannot be written: ${messageOf(event.error)}`;
    default:
      return undefined;
  }
}

function describeMore(event: GatewayEvent): string | undefined {
  switch (event.kind) {
    case 'client_connected':
      return `${event.principal} has come to ${event.agent}${event.via === undefined ? '' : ` by ${event.via}`}`;
    case 'client_left':
      return `${event.principal} has left ${event.agent}: ${event.reason}`;
    case 'turn_started':
      return `${event.agent}: turn in ${event.sessionId} for ${event.principal}`;
    case 'turn_ended':
      return `${event.agent}: turn in ${event.sessionId} ended: ${event.stopReason ?? event.error?.message ?? ''}`;
    case 'question_asked':
      return `${event.agent}: asks in ${event.sessionId}`;
    case 'diagnostic':
      return `${event.agent}: ${event.diagnostic.message}`;
    default:
      return undefined;
  }
}

function withPid({ pid }: { readonly pid?: number }): string {
  return pid === undefined ? '' : ` (pid ${pid})`;
}

function forWhom({ principal }: { readonly principal?: string }): string {
  return principal === undefined ? '' : ` for ${principal}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
