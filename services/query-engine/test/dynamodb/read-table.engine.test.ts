import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import { readTable, type ReadContext } from '../../src/dynamodb/read-table.ts';
import type { TableRead } from '../../src/dynamodb/table-read.ts';
import { createUnitMeter, MeterBefore } from '../../src/execution/unit-meter.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { TableScan } from '../../src/logical/plan.ts';
import { readContext, rowsOf, startTestAws, type TestAws } from './aws.ts';
import {
  and,
  attribute,
  catalogTable,
  cmp,
  eq,
  index,
  inList,
  isNull,
  scanColumn,
  tableScan,
} from './fixtures.ts';

const orders = catalogTable('pk:S, sk:N', {
  tableName: 'orders',
  indexes: [index('by-status', 'status:S, sk:N')],
});
/** About 2.4 MB: three pages. */
const large = catalogTable('id:S', { tableName: 'large', itemCount: 600, sizeBytes: 2_400_000 });
const options = { consistent: false, pushdown: true };

describe('readTable', function () {
  this.timeout(60_000);
  let aws: TestAws;
  let context: ReadContext;

  before(async () => {
    aws = await startTestAws();
    await aws.create(
      orders,
      Array.from({ length: 40 }, (_, i) => ({
        pk: { S: i % 2 === 0 ? 'even' : 'odd' },
        sk: { N: String(i) },
        total: { N: `${i}.50` },
        ...(i % 4 === 0 ? { status: { S: 'open' } } : {}),
        address: { M: { city: { S: `city ${i}` } } },
        tags: { L: [{ S: 'a' }, { S: `tag ${i}` }] },
      })),
    );
    await aws.create(
      large,
      Array.from({ length: 600 }, (_, i) => ({
        id: { S: `id${i}` },
        number: { N: String(i) },
        padding: { S: 'x'.repeat(4000) },
      })),
    );
  });
  after(() => aws.close());
  beforeEach(async () => {
    await aws.faults([]);
    await aws.clear();
    context = readContext(aws.client);
  });

  const choose = (
    names: string[],
    filter: Expression[],
    more: Partial<TableScan> = {},
    table = orders,
  ): TableRead => chooseRead(tableScan(table, names, { filter, ...more }), options);
  const failure = async (promise: Promise<unknown>): Promise<PenstockError> => {
    const thrown: unknown = await promise.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(thrown).to.be.instanceOf(PenstockError);
    return thrown as PenstockError;
  };
  /** What was metered equals what the endpoint says it consumed. */
  const expectMetered = async (): Promise<void> => {
    const consumed = (await aws.requests()).reduce((sum, { consumedUnits }) => sum + consumedUnits, 0);
    expect(context.meter.halfUnits / 2).to.equal(consumed);
  };

  it('gets an item by its key, or none', async () => {
    const rows = await rowsOf(
      choose(['pk', 'sk', 'total', 'address.city', 'tags[1]'], [eq('pk', 'odd'), eq('sk', 3)]),
      context,
    );
    expect(rows).to.deep.equal([['odd', '3', '3.5', 'city 3', 'tag 3']]);
    expect(await rowsOf(choose(['pk', 'sk'], [eq('pk', 'odd'), eq('sk', 4)]), context)).to.deep.equal([]);
    expect((await aws.requests()).map(({ operation }) => operation)).to.deep.equal(['GetItem', 'GetItem']);
    await expectMetered();
    expect(context.meter.halfUnits).to.equal(2);
  });

  it('gets many items in the order of their keys, 100 a request', async () => {
    const ids = Array.from({ length: 250 }, (_, i) => `id${i * 2}`);
    const rows = await rowsOf(choose(['number', 'id'], [inList('id', ids)], {}, large), context);
    expect(rows.map(([, id]) => id)).to.deep.equal([...ids].sort());
    const requests = await aws.requests();
    expect(requests.filter(({ operation }) => operation === 'BatchGetItem')).to.have.length(3);
    await expectMetered();
  });

  it('asks for more items the more it has read, where few may be enough', async () => {
    const read = { ...choose(['id'], [], {}, large), firstPageItems: 10, prefetch: false };
    const rows = await rowsOf({ ...read, path: { kind: 'Scan', index: null, segments: 1 } }, context);
    expect(rows).to.have.length(600);
    const limits = (await aws.requests()).map(({ limit }) => limit);
    // Half of what came before, and no fewer than at first.
    expect(limits.slice(0, 7)).to.deep.equal([10, 10, 10, 15, 23, 34, 51]);
    await expectMetered();
  });

  it('puts items in order whose keys nobody asked for', async () => {
    const read = choose(['sk', 'pk', 'total'], [eq('pk', 'odd'), inList('sk', [5, 1, 3, 100])]);
    const totals = {
      ...read,
      columns: [scanColumn('total')],
      projection: { text: '#p0', names: { '#p0': 'total' } },
    };
    expect(await rowsOf(totals, context)).to.deep.equal([['1.5'], ['3.5'], ['5.5']]);
  });

  it('queries partitions one after the other, in key order or backwards', async () => {
    const both = await rowsOf(
      choose(['pk', 'sk'], [inList('pk', ['odd', 'even']), cmp('sk', '<', 5)]),
      context,
    );
    expect(both.map(([pk, sk]) => `${pk} ${sk}`)).to.deep.equal([
      'even 0',
      'even 2',
      'even 4',
      'odd 1',
      'odd 3',
    ]);
    const last = choose(['pk', 'sk'], [eq('pk', 'odd')], {
      orderHint: [{ column: scanColumn('sk'), descending: true }],
      limitHint: 2,
    });
    expect(await rowsOf(last, context)).to.deep.equal([
      ['odd', '39'],
      ['odd', '37'],
    ]);
    expect((await aws.requests()).at(-1)).to.include({ operation: 'Query', limit: 2 });
    await expectMetered();
  });

  it('queries an index with a filter', async () => {
    const read = choose(
      ['pk', 'sk', 'status', 'total'],
      [eq('status', 'open'), cmp('sk', '>=', 8), cmp('total', '<', 20)],
    );
    expect(read.path).to.include({ kind: 'Query', index: 'by-status' });
    expect((await rowsOf(read, context)).map(([, sk]) => sk)).to.deep.equal(['8', '12', '16']);
    await expectMetered();
  });

  it('reads pages to the end, across 1 MB and empty ones', async () => {
    const rows = await rowsOf(choose(['id', 'number'], [], {}, large), context);
    expect(rows).to.have.length(600);
    const requests = await aws.requests();
    expect(requests.length).to.be.at.least(3);
    await expectMetered();
    const none = await rowsOf(choose(['id', 'number'], [cmp('number', '>', 1000)], {}, large), context);
    expect(none).to.deep.equal([]);
    await expectMetered();
  });

  it('scans segments side by side, always in the same order', async () => {
    const read: TableRead = {
      ...choose(['id'], [], {}, large),
      path: { kind: 'Scan', index: null, segments: 4 },
    };
    const first = await rowsOf(read, context);
    expect(first).to.have.length(600);
    expect(await rowsOf(read, context)).to.deep.equal(first);
    const segments = new Set((await aws.requests()).map(({ segment }) => segment));
    expect(segments).to.deep.equal(new Set([0, 1, 2, 3]));
    await expectMetered();
  });

  it('counts without reading rows out', async () => {
    let count = 0;
    for await (const { batch } of readTable(choose([], [], {}, large), context)) {
      expect(batch.columns).to.deep.equal([]);
      count += batch.rowCount;
    }
    expect(count).to.equal(600);
    await expectMetered();
  });

  it('asks for no more items than are needed', async () => {
    const rows = await rowsOf(choose(['id'], [], { limitHint: 10 }, large), context);
    expect(rows).to.have.length(10);
    expect(await aws.requests()).to.have.length(1);
    // Ten items of some 4 KB.
    expect(context.meter.halfUnits).to.be.at.most(11);
    await expectMetered();
  });

  it('asks for no more items than are needed across partitions and keys either', async () => {
    const two = choose(['pk', 'sk'], [inList('pk', ['even', 'odd'])], { limitHint: 25 });
    expect(await rowsOf(two, context)).to.have.length(25);
    expect((await aws.requests()).map(({ limit }) => limit)).to.deep.equal([25, 5]);
    const keys = choose(
      ['id'],
      [inList('id', ['id1', 'id2', 'no', 'id3', 'id4', 'id5'])],
      { limitHint: 2 },
      large,
    );
    expect(await rowsOf(keys, context)).to.deep.equal([['id1'], ['id2']]);
    expect((await aws.requests()).map(({ operation }) => operation)).to.deep.equal([
      'Query',
      'Query',
      'BatchGetItem',
    ]);
    await expectMetered();
  });

  it('sends nothing more when the consumer stops, and nothing ahead when it may', async () => {
    const read = choose(['id', 'number'], [isNull('number', true)], { limitHint: 5 }, large);
    expect([read.stopAfter, read.prefetch]).to.deep.equal([null, false]);
    for await (const { batch } of readTable(read, context)) {
      expect(batch.rowCount).to.be.greaterThan(0);
      break;
    }
    expect(await aws.requests()).to.have.length(1);
    await expectMetered();
  });

  it('sends nothing for a contradiction', async () => {
    expect(await rowsOf(choose(['pk'], [and(eq('pk', 'a'), eq('pk', 'b'))]), context)).to.deep.equal([]);
    expect(await aws.requests()).to.deep.equal([]);
  });

  it('waits throttling out', async () => {
    await aws.faults([{ operation: 'Scan', error: 'ProvisionedThroughputExceededException', count: 3 }]);
    const read: TableRead = {
      ...choose(['id'], [], {}, large),
      path: { kind: 'Scan', index: null, segments: 2 },
    };
    expect(await rowsOf(read, context)).to.have.length(600);
    expect((await aws.requests()).filter(({ error }) => error !== null)).to.have.length(3);
    await expectMetered();
  });

  it('tells of throttling only when the deadline passes', async () => {
    await aws.faults([{ operation: 'Scan', error: 'ThrottlingException' }]);
    const signal = AbortSignal.timeout(300);
    const error = await failure(rowsOf(choose(['id'], [], {}, large), readContext(aws.client, { signal })));
    expect([error.code, error.retryAfterS]).to.deep.equal(['THROTTLED', 5]);
    expect(error.message).to.include('shop.large');
  });

  it('stops at once when it is aborted', async () => {
    const controller = new AbortController();
    context = readContext(aws.client, { signal: controller.signal });
    await aws.faults([{ operation: 'Scan', latencyMs: 100 }]);
    const read: TableRead = {
      ...choose(['id'], [], {}, large),
      path: { kind: 'Scan', index: null, segments: 2 },
    };
    let batches = 0;
    const reading = (async () => {
      for await (const _ of readTable(read, context))
        if (++batches === 1) controller.abort(new PenstockError('TIMEOUT', 'Too late'));
    })();
    expect((await failure(reading)).code).to.equal('TIMEOUT');
    const sent = (await aws.requests()).length;
    // Sleeps: it proves that nothing new is sent.
    await sleep(300);
    // What was under way may still be logged by the endpoint; nothing new is sent.
    expect((await aws.requests()).length - sent).to.be.at.most(2);
    expect(batches).to.be.at.most(2);
  });

  it('counts what was on its way when it was aborted, or when its rows were enough', async () => {
    const halfUnitsRead = async (): Promise<number> =>
      (await aws.requests()).reduce((sum, { consumedUnits }) => sum + (consumedUnits ?? 0) * 2, 0);
    const read: TableRead = {
      ...choose(['id'], [], {}, large),
      path: { kind: 'Scan', index: null, segments: 4 },
    };
    for (const isAborted of [true, false]) {
      await aws.clear();
      await aws.faults([{ operation: 'Scan', latencyMs: 50 }]);
      const controller = new AbortController();
      const own = readContext(aws.client, { signal: controller.signal });
      for await (const _ of readTable({ ...read, ...(isAborted ? {} : { stopAfter: 1 }) }, own)) {
        if (!isAborted) continue;
        controller.abort(new PenstockError('CANCELLED', 'Gone'));
        break;
      }
      expect(own.meter.settled()).not.to.equal(null);
      await own.meter.settled();
      expect(own.meter.halfUnits).to.equal(await halfUnitsRead());
    }
  });

  it('stops when the meter says so', async () => {
    class Limited extends MeterBefore {
      override add(more: number): void {
        super.add(more);
        if (this.halfUnits > 100) throw new PenstockError('READ_UNIT_LIMIT', 'Too many units');
      }
    }
    const meter = new Limited(createUnitMeter());
    const read = choose(['id'], [], { limitHint: 1000 }, large);
    const error = await failure(
      rowsOf({ ...read, stopAfter: null, pageLimit: null }, readContext(aws.client, { meter })),
    );
    expect(error.code).to.equal('READ_UNIT_LIMIT');
    expect(await aws.requests()).to.have.length(1);
  });

  it('says that a table is gone, or which action the role lacks', async () => {
    const gone = choose(['id'], [], {}, catalogTable('id:S', { tableName: 'gone' }));
    const error = await failure(rowsOf(gone, context));
    expect([error.code, error.message]).to.deep.equal(['TABLE_NOT_FOUND', 'Table not found: shop.gone']);
    await aws.faults([{ operation: 'Query', error: 'AccessDeniedException' }]);
    const denied = await failure(rowsOf(choose(['pk'], [eq('pk', 'odd')]), context));
    expect(denied.code).to.equal('ACCESS_DENIED');
    expect(denied.message).to.match(/^Access denied: .*shop\.orders$/);
  });

  it('says that an index is gone', async () => {
    const table = catalogTable('pk:S, sk:N', {
      tableName: 'orders',
      indexes: [index('by-total', 'total:N')],
    });
    const error = await failure(rowsOf(choose(['pk', 'total'], [eq('total', 1)], {}, table), context));
    expect([error.code, error.message]).to.deep.equal([
      'EXECUTION_ERROR',
      'Index by-total of shop.orders does not exist any more',
    ]);
  });

  it('tells which attributes whole items have that the catalog does not know', async () => {
    const known = {
      ...orders,
      attributes: ['pk', 'sk', 'total', 'tags'].map((name) => attribute(name)),
      sampledItems: 1,
    };
    const met: string[] = [];
    const read = choose(['pk', 'sk', 'total', 'tags'], [], {}, known);
    expect(read.projection).to.equal(null);
    await rowsOf(
      read,
      readContext(aws.client, { onDiscovery: (attributes) => met.push(...attributes.keys()) }),
    );
    expect(met.sort()).to.deep.equal(['address', 'status']);
  });
});
