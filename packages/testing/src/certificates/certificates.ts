import { Buffer } from 'node:buffer';
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** An authority that nobody trusts unless told to, and a certificate for this machine that it has signed; all PEM. */
export interface TestCertificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Makes keys and certificates for TLS in tests, good for `localhost` and `127.0.0.1` and for one day. */
export function createCertificates(): TestCertificates {
  const [authority, server] = [createKeys(), createKeys()];
  const ca = createCertificate({
    name: 'Test Authority',
    issuer: 'Test Authority',
    keys: authority,
    signer: authority,
    extensions: [AUTHORITY],
  });
  const cert = createCertificate({
    name: 'localhost',
    issuer: 'Test Authority',
    keys: server,
    signer: authority,
    extensions: [LOCAL_NAMES],
  });
  return { ca, cert, key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface CertificateParts {
  readonly name: string;
  readonly issuer: string;
  readonly keys: Keys;
  readonly signer: Keys;
  readonly extensions: readonly Buffer[];
}

function createKeys(): Keys {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** An X.509 certificate, version 3 (RFC 5280, section 4.1). */
function createCertificate({ name, issuer, keys, signer, extensions }: CertificateParts): string {
  const body = sequence(
    tagged(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    tagged(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    SHA256_WITH_ECDSA,
    commonName(issuer),
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    commonName(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, signer.privateKey)]));
  const base64 = sequence(body, SHA256_WITH_ECDSA, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(name)))));
}

/** UTCTime, as certificates before the year 2050 have it. */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds)
    .toISOString()
    .replaceAll(/[-:T]|\.\d+/g, '')
    .slice(2);
  return tagged(0x17, Buffer.from(digits));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), tagged(0x04, value));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

/** A DER value: its tag, its length, itself. */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

const DAY_MS = 86_400_000;
const SHA256_WITH_ECDSA = sequence(objectId('2a8648ce3d040302'));
const AUTHORITY = extension('551d13', sequence(Buffer.from([0x01, 0x01, 0xff])));
const LOCAL_NAMES = extension(
  '551d11',
  sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1]))),
);
