import { createClient, createRouterTransport } from '@connectrpc/connect';
import { expect } from 'chai';
import { DescribeService } from '@penstock/common/gen/penstock/query/v1/describe_pb.js';
import { createDescriptions, type Descriptions } from '../../../src/postgres/engine/descriptions.ts';

describe('descriptions of statements', () => {
  let asked: string[];
  let paced: string[];
  let descriptions: Descriptions;
  beforeEach(() => {
    asked = [];
    paced = [];
    const columns = Array.from({ length: 1_000 }, (_, i) => ({
      name: `column ${i}`,
      attribute: '',
      isKey: false,
    }));
    const transport = createRouterTransport(({ service }) =>
      service(DescribeService, {
        describe({ sql }) {
          asked.push(sql);
          return { columns: sql.startsWith('wide') ? columns : [], parameters: [] };
        },
      }),
    );
    descriptions = createDescriptions(createClient(DescribeService, transport));
  });

  const of = (tenantId: string, sql: string) =>
    descriptions.of(
      { sql, parameters: [], searchPath: [], database: 'penstock' },
      {
        ...{ tenantId, token: 't', requestId: 'r', signal: new AbortController().signal },
        pace: async () => void paced.push(sql),
      },
    );

  it('are asked for once in a while, by tenant', async () => {
    for (const tenant of ['a', 'a', 'b']) await of(tenant, 'SELECT 1');
    expect(asked).to.have.length(2);
    expect(paced, 'those that the engine is asked for').to.have.length(2);
  });

  it('of long statements and many columns push out those of their own tenant alone', async () => {
    await of('neighbor', 'SELECT 1');
    await of('hostile', 'wide, the first');
    for (let i = 0; i < 600; i++) await of('hostile', `wide ${i} ${'x'.repeat(60_000)}`);
    asked.length = 0;
    await of('neighbor', 'SELECT 1');
    expect(asked).to.deep.equal([]);
    await of('hostile', 'wide, the first');
    expect(asked).to.deep.equal(['wide, the first']);
  });
});
