import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CliError, usageError } from '@parley/host/command-line';

/** A certificate with those of its authorities, and its key; both PEM. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
}

/** The files of `--tls-cert` and `--tls-key`, whole paths; undefined where neither is given. */
export interface TlsFiles {
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Reads a certificate and its key, and throws where they cannot be served: unreadable, no PEM, of two minds, or over. */
export async function readTls({ cert, key }: TlsFiles, now: Date = new Date()): Promise<TlsMaterial | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw usageError('TLS needs a certificate and its key.', '--tls-cert server.pem --tls-key server-key.pem');
  const [certText, keyText] = await Promise.all([readPem(cert, 'certificate'), readPem(key, 'key')]);
  const certificate = parse(cert, 'certificate', () => new X509Certificate(certText));
  const secret = parse(key, 'key', () => createPrivateKey(keyText));
  if (!certificate.checkPrivateKey(secret)) throw bad(`${key} is not the key of the certificate in ${cert}.`);
  const { validFrom, validTo } = certificate;
  if (now > new Date(validTo)) throw bad(`The certificate in ${cert} was good until ${validTo}.`);
  if (now < new Date(validFrom)) throw bad(`The certificate in ${cert} is good from ${validFrom} on.`);
  return { cert: certText, key: keyText };
}

/** When a certificate ends to be good. */
export function expiryOf({ cert }: TlsMaterial): Date {
  return new Date(new X509Certificate(cert).validTo);
}

async function readPem(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw bad(`The ${what} cannot be read from ${path}: ${(cause as NodeJS.ErrnoException).code}.`, cause);
  }
}

function parse<Value>(path: string, what: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    const isLocked = (cause as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE';
    const why = isLocked ? 'it wants a passphrase' : 'it is not PEM';
    throw bad(`There is no ${what} in ${path} that can be used: ${why}.`, cause);
  }
}

function bad(message: string, cause?: unknown): CliError {
  return new CliError('settings_invalid', message, { cause, next: ['parley serve --check'] });
}
