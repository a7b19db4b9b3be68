export { type AuditLog, type AuditLogOptions, auditLog } from './audit-log.ts';
export { type EventLog, type EventLogOptions, eventLog } from './event-log.ts';
export { type Metrics, metrics } from './metrics.ts';
export { type OperationRoutesOptions, operationRoutes } from './operation-routes.ts';
