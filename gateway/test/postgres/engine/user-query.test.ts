import { create } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { OID } from '../../../src/postgres/types/oids.ts';
import {
  ExecuteResponseSchema,
  type ExecuteRequest,
  LateAttributes,
} from '@penstock/common/gen/penstock/query/v1/query_pb.js';
import type { GatewayClients } from '../../../src/clients/gateway-clients.ts';
import type { QueryUsage } from '../../../src/usage/query-usage.ts';
import { runUserQuery, type UserQuery } from '../../../src/postgres/engine/user-query.ts';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';
import type { ResultEnd } from '../../../src/postgres/results/open-result.ts';

const usage = {
  ensureAble: () => undefined,
  recordRequest: async () => undefined,
  recordRows: async () => undefined,
  takeBackRows: async () => undefined,
} as unknown as QueryUsage;

describe('a statement over tables whose columns are not those that were announced', () => {
  let asked: LateAttributes[];
  /** Of a result of one row; `end` has its warnings. */
  const run = async (
    columns: readonly string[],
    refusesLate = false,
  ): Promise<{ rows: readonly unknown[]; end: ResultEnd | null }> => {
    const queries = {
      async *execute({ lateAttributes }: ExecuteRequest) {
        asked.push(lateAttributes);
        const header = { columns: [...columns], columnTypes: columns.map(() => 'VARCHAR') };
        yield create(ExecuteResponseSchema, { header });
        const json = Buffer.from(`${JSON.stringify(columns.map((name) => `a ${name}`))}\n`);
        yield create(ExecuteResponseSchema, { rows: { json, rowCount: 1 } });
        const trailer = { rowCount: 1, readUnits: 0.5, warnings: ['w'], requestCounted: true };
        yield create(ExecuteResponseSchema, { trailer });
      },
    } as unknown as GatewayClients['queries'];
    const query: UserQuery = {
      ...{
        sql: 'SELECT * FROM t',
        parametersJson: '',
        searchPath: [],
        database: 'penstock',
        maxReadUnits: null,
        refusesLate,
        timeZone: 'UTC',
      },
      columns: ['id', 'v'].map((name) => ({ name, attribute: name, type: 'text', isKey: name === 'id' })),
      announced: ['id', 'v'].map((name) => ({ name, typeOid: OID.text, typeModifier: -1 })),
      formats: [0, 0],
    };
    const caller = { token: 't', tenantId: 'ada', requestId: 'r', ending: new AbortController() };
    const result = runUserQuery({ queries, usage }, query, caller);
    const rows = [...(await result.next(10))];
    await result.next(10);
    return { rows, end: result.end };
  };
  beforeEach(() => void (asked = []));

  it('has the engine announce nothing besides, and says which it is to refuse', async () => {
    await run(['id', 'v']);
    await run(['id', 'v'], true);
    expect(asked).to.deep.equal([LateAttributes.WARN, LateAttributes.REFUSE]);
  });

  it('goes on where columns have come behind those, and names them', async () => {
    const { rows, end } = await run(['id', 'v', 'x1']);
    expect(rows).to.deep.equal([['a id', 'a v']]);
    expect(end?.warnings).to.deep.equal([
      'w',
      '* has columns that were not announced, since their attributes were met later: "x1"',
    ]);
  });

  it('is refused there where that was asked for', async () => {
    const failure = await run(['id', 'v', 'x1'], true).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(PgError);
    expect((failure as PgError).fields.code).to.equal('22000');
    expect((failure as PgError).message).to.contain('"x1"');
  });

  it('is to be prepared again where others have changed, as drivers know it', async () => {
    for (const columns of [['id'], ['id', 'x1', 'v']]) {
      const failure = await run(columns).catch((error: unknown) => error);
      expect((failure as PgError).fields).to.include({ code: '0A000', routine: 'RevalidateCachedQuery' });
    }
  });
});
