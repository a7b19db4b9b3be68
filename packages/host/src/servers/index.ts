export { type AnnouncedServer, announceServer, findServers, type ServerAnnouncement } from './announce-server.ts';
