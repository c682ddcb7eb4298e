import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createHostSessions } from '../../src/worker/host-sessions.ts';
import type { HostAnswer } from '../../src/worker/host-link.ts';

const ACCESS = {
  roleArn: 'arn:aws:iam::123456789012:role/reader',
  externalId: 'e',
  region: 'eu-west-1',
  tableAllowlist: [],
};

describe('role sessions in a worker', () => {
  function setUp() {
    const { promise, resolve } = Promise.withResolvers<HostAnswer>();
    const query = { query: 1, signal: new AbortController().signal };
    const sessions = createHostSessions({ ask: () => promise }, () => query);
    const answer = { accessKeyId: 'k', secretAccessKey: 's', sessionToken: 't', expiresAt: Date.now() + 3e6 };
    return { sessions, answered: () => resolve({ answer, bytes: Buffer.alloc(0) }) };
  }

  it('end a wait with the reason that the host stopped the query for, and go on for other queries', async () => {
    const { sessions, answered } = setUp();
    const ending = new AbortController();
    const stopped = sessions.credentials('t', ACCESS, 'r1', ending.signal);
    const other = sessions.credentials('t', ACCESS, 'r2', new AbortController().signal);
    const late = new PenstockError('TIMEOUT', 'The query took too long');
    ending.abort(late);
    expect(await stopped.catch((error: unknown) => error)).to.equal(late);
    answered();
    expect(await other).to.have.property('accessKeyId', 'k');
  });
});
