export { localUrl, remoteUrls } from './listen/dialled-url.ts';
export {
  bareHost,
  DEFAULT_HOST,
  DEFAULT_PORT,
  type ListenPlace,
  readPlace,
  requirePort,
  requireReachable,
} from './listen/listen-place.ts';
export {
  isToken,
  type ListenToken,
  listenTokenFile,
  readListenToken,
  readTokenFile,
  TOKEN_FORMAT,
} from './listen/listen-token.ts';
export { expiryOf, readTls, type TlsFiles, type TlsMaterial } from './listen/tls-files.ts';
