import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createLogger } from '@penstock/common/logging/logger.ts';
import { createBrokenResults, type BrokenResults } from '../../src/routes/broken-results.ts';
import { BROKEN_RESULT_KEPT_S } from '../../src/limits.ts';

type Store = Parameters<typeof createBrokenResults>[0];

describe('why whole results broke off', () => {
  const texts = new Map<string, { readonly text: string; readonly seconds: number }>();
  const store = {
    set: async (key: string, text: string, _: string, seconds: number) =>
      void texts.set(key, { text, seconds }),
    get: async (key: string) => texts.get(key)?.text ?? null,
  } as unknown as Store;
  const away = {
    set: async () => Promise.reject(new Error('away')),
    get: async () => Promise.reject(new Error('away')),
  };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const results: BrokenResults = createBrokenResults(store, logger);
  const error = new PenstockError('EXECUTION_ERROR', 'Column n is written as BIGINT', {
    detail: 'CAST(n AS VARCHAR)',
  });

  it('is known to the tenant alone, for some minutes', async () => {
    await results.keep('ada', 'report-1', error);
    expect(await results.find('ada', 'report-1')).to.deep.equal({
      error: 'Column n is written as BIGINT',
      detailedError: 'CAST(n AS VARCHAR)',
    });
    expect(await results.find('bob', 'report-1')).to.equal(null);
    expect(await results.find('ada', 'report-2')).to.equal(null);
    expect([...texts.values()].map(({ seconds }) => seconds)).to.deep.equal([BROKEN_RESULT_KEPT_S]);
  });

  it('is known of what was left out, too', async () => {
    await results.keepWarnings('ada', 'report-3', ['* has no column']);
    expect(await results.find('ada', 'report-3')).to.deep.equal({ warnings: ['* has no column'] });
  });

  it('is not known while Redis is away, which nobody takes for an end without one', async () => {
    const lost = createBrokenResults(away, logger);
    await lost.keep('ada', 'report-1', error);
    const failure = await lost.find('ada', 'report-1').catch((thrown: unknown) => thrown);
    expect(failure).to.be.instanceOf(PenstockError).and.to.include({ code: 'UNAVAILABLE' });
  });
});
