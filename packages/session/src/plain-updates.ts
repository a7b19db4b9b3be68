import type { SessionUpdate } from '@parley/protocol';
import type { InfoEvent, NoticeEvent, UsageEvent } from './event.ts';

/** The events that both versions of the protocol word alike. */
export type PlainEvent = InfoEvent | UsageEvent | NoticeEvent;

type PlainUpdate = Extract<
  SessionUpdate,
  { readonly sessionUpdate: 'session_info_update' | 'usage_update' | 'notice' }
>;

export function writePlainEvent(event: PlainEvent): PlainUpdate {
  switch (event.type) {
    case 'info': {
      const { title, updatedAt } = event;
      return {
        sessionUpdate: 'session_info_update',
        ...(title !== undefined && { title }),
        ...(updatedAt !== undefined && { updatedAt }),
      };
    }
    case 'usage': {
      const { used, size, cost } = event;
      return { sessionUpdate: 'usage_update', used, size, ...(cost && { cost: { ...cost } }) };
    }
    case 'notice': {
      const { severity, title, description } = event;
      return { sessionUpdate: 'notice', severity, title, ...(description !== undefined && { description }) };
    }
  }
}

export function readPlainUpdate(update: PlainUpdate): PlainEvent {
  switch (update.sessionUpdate) {
    case 'session_info_update': {
      const { title, updatedAt } = update;
      return { type: 'info', ...(title !== undefined && { title }), ...(updatedAt !== undefined && { updatedAt }) };
    }
    case 'usage_update': {
      const { used, size, cost } = update;
      return { type: 'usage', used, size, ...(cost && { cost }) };
    }
    case 'notice': {
      const { severity, title, description } = update;
      return { type: 'notice', severity, title, ...(description != null && { description }) };
    }
  }
}
