export { DEFAULT_LISTEN_LIMITS, type ListenLimits } from './limits.ts';
export { listen } from './listen.ts';
export { ListenError } from './listen-error.ts';
export type {
  AcceptedConnection,
  Authorization,
  Authorize,
  Listener,
  ListenOptions,
  RefusedRequest,
  RequestToAuthorize,
  Via,
} from './listener.ts';
export type { Route, RouteReply, RouteRequest } from './routes/route.ts';
