import { HEADERS } from '../../network/headers.ts';
import { type Exchange, headerOf, refuse } from '../server/exchange.ts';
import type { EventTransport } from './event-transport.ts';

/** Makes the response to a GET the reader of a stream, from where its last one was cut if it says so. */
export function attachReader(
  transport: EventTransport,
  { exchange, route, maxIdLength }: { exchange: Exchange; route: string; maxIdLength: number },
): void {
  const { request, response } = exchange;
  const lastRead = headerOf(request, HEADERS.lastEventId) ?? '';
  if (route.length > maxIdLength)
    return refuse(response, { status: 400, message: `An id may have ${maxIdLength} characters` });
  if (!/^\d{0,15}$/.test(lastRead))
    return refuse(response, { status: 400, message: 'Last-Event-ID is not of this server' });
  const stream = transport.streamOf(route);
  if (!stream) return refuse(response, { status: 429, message: 'This connection has too many streams' });
  if (stream.attach(response, lastRead === '' ? undefined : Number(lastRead))) return;
  refuse(response, { status: 410, message: `The events after ${lastRead} are no longer kept; initialize again` });
}
