/** Over the pages of a star columns only come, and behind those that were there: also where the catalog is behind. */
import { expect } from 'chai';
import type { AttributeType, CatalogTable } from '../../src/catalog/table.ts';
import { createUnitMeter } from '../../src/execution/unit-meter.ts';
import type { KeptPosition } from '../../src/placed-page.ts';
import { attribute, catalogTable } from '../dynamodb/fixtures.ts';
import { startTestAws, type TestAws } from '../dynamodb/aws.ts';
import { testDatabase } from '../execution/tables.ts';
import { SHORT_PLACE } from '../scheduling/class-bounds.ts';
import { createTable } from './create-table.ts';
import { createPlainEngine } from './plain-engine.ts';

const PAGE_ROWS = 10;
/** What only the first item of some pages has. */
const LATE: Readonly<Record<number, string>> = { 1: 'rare', 3: 'a_late' };

describe('a walk over pages of a star', function () {
  this.timeout(60_000);
  let aws: TestAws;
  const database = testDatabase();
  const known = (metSince?: string) => (name: string, type: AttributeType) => ({
    ...attribute(name, { [type]: 1 }),
    ...(metSince !== undefined && { metSince }),
  });
  const first = known();
  const base = catalogTable('pk:S, sk:N', {
    ...{ sampledItems: 1, itemCount: 50, sizeBytes: 5_000 },
    attributes: [first('pk', 'S'), first('sk', 'N'), first('v', 'S')],
  });

  before(async () => {
    aws = await startTestAws();
    const items = Array.from({ length: 50 }, (_, i) => {
      const name = i % PAGE_ROWS === 0 ? LATE[i / PAGE_ROWS] : undefined;
      return {
        ...{ pk: { S: 'p' }, sk: { N: String(i) }, v: { S: `v${i}` } },
        ...(name === undefined ? {} : { [name]: { S: 'here' } }),
      };
    });
    await createTable(aws.client, base, items);
  });
  after(async () => {
    await database.close();
    await aws.close();
  });

  /** The columns of each page; `catalogAt`: what the page's engine knows of the table. */
  async function walk(
    catalogAt: (page: number) => CatalogTable,
    sql = 'SELECT * FROM shop.orders',
  ): Promise<readonly (readonly string[])[]> {
    const kept = new Map<string, string>();
    const pages: string[][] = [];
    for (let idx: number | null = 0, page = 0; idx !== null; page++) {
      const at: number = idx;
      // Each page has an engine of its own: what one of them remembers is of no use to it.
      const engine = createPlainEngine(database, aws.client, async (_, references) =>
        references.map(() => ({ kind: 'table', table: catalogAt(page) })),
      );
      const find = async (scope: string): Promise<string | null> => kept.get(`${at} ${scope}`) ?? null;
      const call = { tenantId: 't', token: 't', requestId: 'r', signal: new AbortController().signal };
      const request = { sql, parametersJson: '', firstRowIdx: at, maxRows: PAGE_ROWS, consistentRead: false };
      const run = engine.execute(request, call, {
        ...{ rowFormat: 'array', meter: createUnitMeter(), place: SHORT_PLACE },
        positions: { find, findBesides: find },
      });
      const keep = (next: number, said: KeptPosition | null): void => {
        if (said !== null) kept.set(`${next} ${said.scope}`, said.text);
      };
      for await (const part of run) {
        if (part.kind === 'header') pages.push([...part.columns]);
        if (part.kind !== 'end') continue;
        idx = part.resumeIdx;
        if (idx === null) continue;
        keep(idx, part.position);
        for (const one of part.besides) keep(idx, one);
      }
    }
    return pages.slice(0, 5);
  }

  const BEFORE = ['pk', 'sk', 'v'];
  const EXPECTED = [
    BEFORE,
    [...BEFORE, 'rare'],
    [...BEFORE, 'rare'],
    [...BEFORE, 'rare', 'a_late'],
    [...BEFORE, 'rare', 'a_late'],
  ];

  it('keeps columns that the catalog has not heard of, page by page or computed', async () => {
    expect(await walk(() => base)).to.deep.equal(EXPECTED);
    expect(await walk(() => base, 'SELECT * FROM shop.orders ORDER BY v, sk')).to.deep.equal(
      // All is read for each page.
      EXPECTED.map(() => [...BEFORE, 'a_late', 'rare']),
    );
  });

  it('keeps their places where the catalog has met others before, or them later', async () => {
    const [older, newer] = [known('2026-11-01'), known('2026-11-02')];
    const tables = [
      base,
      base,
      // An engine that knows less than the page before, and of something else.
      { ...base, version: '2', attributes: [...base.attributes, older('other', 'S')] },
      {
        ...base,
        version: '3',
        attributes: [...base.attributes, older('other', 'S'), newer('rare', 'S')],
      },
    ];
    const pages = await walk((page) => tables[Math.min(page, 3)] ?? base);
    expect(pages).to.deep.equal([
      BEFORE,
      [...BEFORE, 'rare'],
      [...BEFORE, 'rare', 'other'],
      [...BEFORE, 'rare', 'other', 'a_late'],
      [...BEFORE, 'rare', 'other', 'a_late'],
    ]);
  });
});
