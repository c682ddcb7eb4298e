/** Statements of PostgreSQL clients under their tenant's rate limit. */
import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Principal } from '@penstock/common/token/principal.ts';
import type { Catalog, CatalogSession, Classified } from '../../../src/postgres/catalog/catalog.ts';
import { toPgError } from '../../../src/postgres/errors/from-penstock.ts';
import {
  createSelects,
  type SelectParts,
  type SelectSession,
} from '../../../src/postgres/session/selects.ts';
import { createTurns } from '../../../src/postgres/session/turns.ts';

describe('statements of PostgreSQL clients', () => {
  const principal = { tenantId: 'ada', principalId: 'cli_1' } as Principal;
  const bound = { values: [], formats: [], resultFormats: [] };
  const { signal } = new AbortController();
  let taken: number;
  let left: number;
  let performed: string[];
  let known: Set<string>;
  beforeEach(() => {
    taken = 0;
    left = Infinity;
    performed = [];
    known = new Set();
  });

  const kindOf = (sql: string): Classified => (sql.includes('pg_') ? 'catalog' : 'user');
  const catalog: Catalog = {
    async classify(sql, _session, pace) {
      if (known.has(sql)) return kindOf(sql);
      await pace?.();
      performed.push('classify');
      known.add(sql);
      return kindOf(sql);
    },
    async describe() {
      performed.push('describe');
      return { parameterOids: [], columns: [] };
    },
    async run() {
      performed.push('run');
      return { columns: [], rows: [] };
    },
    close: async () => undefined,
  };
  const pace = async (): Promise<void> => {
    if (taken === left) throw new PenstockError('RATE_LIMITED', 'Rate limit exceeded', { retryAfterS: 1 });
    taken++;
  };
  const selectsOf = () =>
    createSelects({
      ...{ catalog, turnOf: createTurns(), limiter: { pace, admit: pace } },
      descriptions: {
        async of(_asked, call) {
          await call.pace();
          performed.push('engine');
          return { parameters: [], columns: [] };
        },
      },
    } as Partial<SelectParts> as SelectParts);
  const session = {
    identity: { principal, token: async () => 't', check: async () => undefined },
    ...{ searchPath: () => [], maxReadUnits: () => null, catalogSession: () => ({}) as CatalogSession },
  } as Partial<SelectSession> as SelectSession;

  const OVER_CATALOG = 'SELECT relname FROM pg_class';

  it('over the catalogs take one request each, and another one whenever they run again', async () => {
    const selects = selectsOf();
    const select = await selects.describe(OVER_CATALOG, [], session, signal);
    await selects.open(select, bound, session, new AbortController());
    expect(performed).to.deep.equal(['classify', 'describe', 'run']);
    expect(taken).to.equal(1);
    await selects.open(select, bound, session, new AbortController());
    expect(taken).to.equal(2);
    // Described again and again, also where it is known what they read.
    for (let i = 0; i < 3; i++) await selects.describe(OVER_CATALOG, [], session, signal);
    expect(taken).to.equal(5);
  });

  it('over tables take one to be read and described', async () => {
    await selectsOf().describe('SELECT DISTINCT a FROM t', [], session, signal);
    expect(performed).to.deep.equal(['classify', 'engine']);
    expect(taken).to.equal(1);
  });

  it('are refused before anything is done for them where the limit has been passed for too long', async () => {
    const selects = selectsOf();
    const select = await selects.describe(OVER_CATALOG, [], session, signal);
    await selects.open(select, bound, session, new AbortController());
    [left, performed] = [taken, []];
    for (const refused of [
      selects.open(select, bound, session, new AbortController()),
      selects.describe(OVER_CATALOG, [], session, signal),
      selects.describe('SELECT DISTINCT b FROM t', [], session, signal),
    ]) {
      const error = await refused.then(
        () => null,
        (thrown: unknown) => toPgError(thrown).fields,
      );
      expect(error).to.include({ code: '53400', message: 'Rate limit exceeded' });
    }
    expect(performed).to.deep.equal([]);
  });
});
