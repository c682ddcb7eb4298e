/** A certificate for tests, as files of PEM. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  /** Makes another, in the same files. */
  renew(): Promise<void>;
  remove(): Promise<void>;
}

export async function certificateFiles(): Promise<CertificateFiles> {
  const dir = await mkdtemp(join(tmpdir(), 'penstock-certificate-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'certificate.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const renew = async (): Promise<void> => {
    const files = ['-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'];
    await promisify(execFile)('openssl', ['req', '-x509', ...curve, ...files]);
  };
  await renew();
  return { cert, key, renew, remove: () => rm(dir, { recursive: true, force: true }) };
}
