import { expect } from 'chai';
import { startGateway, type TestGateway } from '../support/gateway.ts';

const DAY_MS = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
const counts = (requests: bigint, rowsReturned: bigint, readHalfUnits: bigint) => ({
  requests,
  rowsReturned,
  readHalfUnits,
});

describe('GET /v1/usage/summary', () => {
  let gateway: TestGateway;
  let asked: unknown;
  beforeEach(async () => {
    gateway = await startGateway();
    gateway.fakes.usage = {
      getSummary: ({ startDate, endDate }) => {
        asked = [startDate, endDate];
        return {
          tenantId: 'tenant-1',
          totals: counts(3n, 7n, 2n),
          days: [
            { day: startDate, counts: counts(1n, 3n, 1n) },
            { day: endDate, counts: counts(2n, 4n, 1n) },
          ],
        };
      },
    };
  });
  afterEach(() => gateway.close());

  const summary = (query: string) => gateway.send('GET', `/v1/usage/summary${query}`);

  it('rounds half units up, each day for itself and the total once', async () => {
    const { status, body } = await summary('?startDate=2026-01-01&endDate=2026-01-02');
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      success: true,
      data: {
        tenantId: 'tenant-1',
        startDate: '2026-01-01',
        endDate: '2026-01-02',
        totals: { requests: 3, rowsReturned: 7, ddbReadUnits: 1 },
        days: [
          { day: '2026-01-01', requests: 1, rowsReturned: 3, ddbReadUnits: 1 },
          { day: '2026-01-02', requests: 2, rowsReturned: 4, ddbReadUnits: 1 },
        ],
      },
    });
    expect(Object.keys(body.data)).to.deep.equal(['tenantId', 'startDate', 'endDate', 'totals', 'days']);
  });

  it('goes until today, and from 29 days before the end', async () => {
    await summary('');
    expect(asked).to.deep.equal([day(-29), day(0)]);
    await summary('?endDate=2025-03-30');
    expect(asked).to.deep.equal(['2025-03-01', '2025-03-30']);
    await summary(`?startDate=${day(-3)}`);
    expect(asked).to.deep.equal([day(-3), day(0)]);
  });

  it('takes a range of 366 days, over leap years too', async () => {
    expect((await summary('?startDate=2024-01-01&endDate=2025-01-01')).status).to.equal(200);
    expect((await summary('?startDate=2024-02-29&endDate=2024-02-29')).status).to.equal(200);
  });

  for (const [query, message] of [
    ['?startDate=2024-01-01&endDate=2025-01-02', 'endDate must be at most 366 days after startDate'],
    ['?startDate=2025-01-02&endDate=2025-01-01', 'startDate must be before or equal to endDate'],
    ['?startDate=2025-02-29', 'startDate must be a calendar date of the form YYYY-MM-DD'],
    ['?startDate=2025-13-01', 'startDate must be a calendar date of the form YYYY-MM-DD'],
    ['?startDate=today', 'startDate must be a calendar date of the form YYYY-MM-DD'],
    ['?endDate=2025-1-1', 'endDate must be a calendar date of the form YYYY-MM-DD'],
    ['?endDate=', 'endDate must be a calendar date of the form YYYY-MM-DD'],
    ['?endDate=2025-01-01&endDate=2025-01-02', 'endDate is given more than once'],
    ['?from=2025-01-01', 'Unknown parameter: from'],
  ] as const) {
    it(`refuses ${query}`, async () => {
      const { status, body } = await summary(query);
      expect(status).to.equal(400);
      expect(body.error).to.include({ code: 'VALIDATION_ERROR', message });
    });
  }
});
