/** The certificate of the endpoint, read again when its file changes: a renewed one needs no restart. */
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Logger } from '@penstock/common/logging/logger.ts';

const TLS_VERSION_MIN = 'TLSv1.2';
/** How often the file is looked at. */
const CHECK_MS = 60_000;

export interface Certificate {
  present(): SecureContext;
  close(): void;
}

async function read(cert: string, key: string): Promise<SecureContext> {
  const [certificate, privateKey] = await Promise.all([readFile(cert), readFile(key)]);
  return createSecureContext({ cert: certificate, key: privateKey, minVersion: TLS_VERSION_MIN });
}

/** Files of PEM: the certificate with its chain, and its key. Rejects where they cannot be read at first. */
export async function watchCertificate(
  cert: string,
  key: string,
  logger: Logger,
  checkMs: number = CHECK_MS,
): Promise<Certificate> {
  let context = await read(cert, key);
  let changedAt = (await stat(cert)).mtimeMs;
  const look = async (): Promise<void> => {
    try {
      const { mtimeMs } = await stat(cert);
      if (mtimeMs === changedAt) return;
      context = await read(cert, key);
      changedAt = mtimeMs;
      logger.info('the certificate was read again');
    } catch (error) {
      logger.error({ err: error }, 'the certificate cannot be read again; the one before stands');
    }
  };
  const timer = setInterval(() => void look(), checkMs);
  timer.unref();
  return { present: () => context, close: () => clearInterval(timer) };
}
