import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogCall, Resolution } from '../../src/clients/catalog-client.ts';
import type { TableSource } from '../../src/clients/checked-tables.ts';
import { sharedChecks } from '../../src/clients/shared-checks.ts';
import { CATALOG_WAIT_MS_MAX } from '../../src/limits.ts';

interface Table {
  readonly version: string;
}
interface Asked {
  readonly call: CatalogCall;
  readonly answer: (told: readonly Resolution<Table>[] | Error) => void;
}

const ORDERS = { schema: 'app', table: 'orders', knownVersion: '1', outdated: false };
const UNCHANGED: readonly Resolution<Table>[] = [{ kind: 'unchanged' }];
const AWAY = new PenstockError('UNAVAILABLE', 'The schema service did not answer in time; try again');

function setUp(freshMs = 3_000) {
  const clock = { ms: 1_000_000, now: () => clock.ms };
  const asked: Asked[] = [];
  const source: TableSource<Table> = {
    resolve: (call) =>
      new Promise((resolve, reject) => {
        asked.push({ call, answer: (told) => (told instanceof Error ? reject(told) : resolve(told)) });
      }),
  };
  const call = (tenantId = 't1', signal = new AbortController().signal): CatalogCall => ({
    tenantId,
    token: 'token',
    requestId: 'r1',
    signal,
  });
  return { clock, asked, call, tables: sharedChecks(source, freshMs, clock) };
}

describe('checks of tables that queries share', () => {
  it('are made once for all that begin meanwhile, and once again for those that come after', async () => {
    const { asked, call, clock, tables } = setUp();
    const told = Array.from({ length: 100 }, () => tables.resolve(call(), [ORDERS], true));
    clock.ms += 10;
    told.push(tables.resolve(call(), [ORDERS], true));
    expect(asked).to.have.length(1);
    asked[0]?.answer(UNCHANGED);
    // It tells how the table was when it was begun.
    for (const one of await Promise.all(told))
      expect(one).to.deep.equal([{ kind: 'unchanged', checkedAt: 1_000_000 }]);
    void tables.resolve(call(), [ORDERS], true);
    expect(asked).to.have.length(2);
  });

  it('are of one tenant, of the same tables, and of the same version', () => {
    const { asked, call, tables } = setUp();
    void tables.resolve(call('t1'), [ORDERS], true);
    void tables.resolve(call('t2'), [ORDERS], true);
    void tables.resolve(call('t1'), [{ ...ORDERS, table: 'Orders' }], true);
    void tables.resolve(call('t1'), [{ ...ORDERS, knownVersion: '2' }], true);
    void tables.resolve(call('t1'), [ORDERS], false);
    expect(asked).to.have.length(5);
  });

  it('leave out what the registry has to look at: that may take long, and ends with its query', () => {
    const { asked, call, tables } = setUp();
    for (const reference of [
      { ...ORDERS, knownVersion: null },
      { ...ORDERS, outdated: true },
    ]) {
      const signal = new AbortController().signal;
      void tables.resolve(call('t1', signal), [reference], true);
      void tables.resolve(call('t1', signal), [reference], true);
      expect(asked.splice(0).map((one) => one.call.signal === signal)).to.deep.equal([true, true]);
    }
  });

  it('are not joined where they have taken long, or are older than a table may be that is not checked', () => {
    for (const [freshMs, joinedMs] of [
      [3_000, CATALOG_WAIT_MS_MAX],
      [100, 100],
    ] as const) {
      const { asked, call, clock, tables } = setUp(freshMs);
      void tables.resolve(call(), [ORDERS], true);
      clock.ms += joinedMs;
      void tables.resolve(call(), [ORDERS], true);
      expect(asked).to.have.length(1);
      clock.ms += 1;
      void tables.resolve(call(), [ORDERS], true);
      expect(asked).to.have.length(2);
    }
  });

  it('go on for the others when the query that began one ends', async () => {
    const { asked, call, tables } = setUp();
    const first = new AbortController();
    const ended = tables.resolve(call('t1', first.signal), [ORDERS], true).catch((error: unknown) => error);
    const other = tables.resolve(call(), [ORDERS], true);
    first.abort();
    expect(await ended).to.have.property('name', 'AbortError');
    expect(asked[0]?.call.signal.aborted).to.equal(false);
    asked[0]?.answer(UNCHANGED);
    expect(await other).to.have.length(1);
    expect(asked).to.have.length(1);
  });

  it('fail for all where the registry is away, and for its own caller alone where that was refused', async () => {
    const { asked, call, tables } = setUp();
    const pair = (): Promise<unknown>[] =>
      [0, 1].map(() => tables.resolve(call(), [ORDERS], true).catch((error: unknown) => error));
    const away = pair();
    asked[0]?.answer(AWAY);
    expect(await Promise.all(away)).to.deep.equal([AWAY, AWAY]);
    const expired = new PenstockError('UNAUTHORIZED', 'The token has expired');
    const [own, joined] = pair();
    asked[1]?.answer(expired);
    expect(await own).to.equal(expired);
    asked[2]?.answer(UNCHANGED);
    expect(await joined).to.deep.equal(UNCHANGED);
    expect(asked).to.have.length(3);
  });
});
