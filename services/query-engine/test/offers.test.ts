import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogCall } from '../src/clients/catalog-client.ts';
import { createOffers } from '../src/offers.ts';
import type { Translation } from '../src/parser/dialects/translations-of.ts';

const FOREIGN = new PenstockError('PARSE_ERROR', "Parse error: unexpected '`'");
const SQL = 'SELECT `name` FROM shop.customers';
const IN_OURS: Translation = { dialects: ['MySQL'], sql: 'SELECT name FROM shop.customers' };

describe('an offer for a statement whose caller has gone away', () => {
  const ending = (): {
    readonly call: CatalogCall;
    readonly end: () => void;
  } => {
    const gone = new AbortController();
    return {
      call: { tenantId: 'tenant', token: 'token', requestId: 'request', signal: gone.signal },
      end: () => gone.abort(new PenstockError('CANCELLED', 'The query was cancelled')),
    };
  };

  it('is not waited for: the thread that translates may only be starting', async () => {
    const { call, end } = ending();
    const offers = createOffers({ translate: () => new Promise(() => undefined) });
    const offered = offers.offered(FOREIGN, SQL, call, async () => true);
    end();
    expect(await offered).to.equal(FOREIGN);
  });

  it('confirms no more readings', async () => {
    const { call, end } = ending();
    const confirmed: string[] = [];
    const offers = createOffers({
      translate: async () => ({
        kind: 'translated',
        translations: [IN_OURS, { ...IN_OURS, sql: 'SELECT 1' }],
      }),
    });
    const offered = await offers.offered(FOREIGN, SQL, call, async (sql) => {
      confirmed.push(sql);
      end();
      return true;
    });
    expect([offered, confirmed]).to.deep.equal([FOREIGN, [IN_OURS.sql]]);
  });
});
