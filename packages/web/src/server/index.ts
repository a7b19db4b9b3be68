export { type WebGateway, type WebOptions, webRoutes } from './web-routes.ts';
