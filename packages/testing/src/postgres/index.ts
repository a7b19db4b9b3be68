export { findPostgres, POSTGRES } from './find-postgres.ts';
export { type PostgresOptions, type PostgresServer, startPostgres } from './start-postgres.ts';
