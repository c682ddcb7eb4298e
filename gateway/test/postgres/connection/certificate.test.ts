import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { watchCertificate } from '../../../src/postgres/connection/certificate.ts';
import { recovers } from '../../chaos/recovers.ts';
import { certificateFiles } from '../process/support/certificate.ts';

describe('the certificate of the PostgreSQL endpoint', () => {
  const logger = createLogger({ service: 'test', level: 'silent' });

  it('is read again when its files change, and kept where they cannot be read', async () => {
    const files = await certificateFiles();
    const certificate = await watchCertificate(files.cert, files.key, logger, 20);
    try {
      const first = certificate.present();
      await files.renew();
      await recovers(async () => certificate.present() !== first);
      const second = certificate.present();
      await writeFile(files.cert, 'no certificate');
      // Sleeps: shows that the spoiled file is not taken, however often it is looked at.
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(certificate.present()).to.equal(second);
      await files.renew();
      await recovers(async () => certificate.present() !== second);
    } finally {
      certificate.close();
      await files.remove();
    }
  });

  it('must be readable at first', async () => {
    let said = '';
    await watchCertificate('/nowhere/tls.crt', '/nowhere/tls.key', logger).catch(
      (error: unknown) => (said = String(error)),
    );
    expect(said).to.include('/nowhere/tls.crt');
  });
});
