/** Types of values that no sample met: the registry is told of them, whatever becomes of the statement. */
import { expect } from 'chai';
import type { CatalogTable } from '../../src/catalog/table.ts';
import type { EngineTable } from './engine-table.ts';
import { engineTable, n, s } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const COUNT = 300;

/** Whose sample met numbers alone; one item in three hundred has a text. */
function oneBad(): EngineTable {
  const { catalog, items } = engineTable(
    'onebad',
    { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'sk', type: 'N' } },
    Array.from({ length: COUNT }, (_, i) => ({
      pk: s(`p${i % 3}`),
      sk: n(i),
      amount: i === 217 ? s('n/a') : n(i),
      note: i % 50 === 0 ? { NULL: true as const } : s('x'),
    })),
  );
  const attributes: CatalogTable['attributes'] = catalog.attributes.map((one) =>
    one.name === 'amount'
      ? { ...one, types: { N: 150 } }
      : one.name === 'note'
        ? { ...one, types: { S: 150 } }
        : one,
  );
  return { catalog: { ...catalog, attributes }, items };
}

describe('a value of a type that no sample met', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([oneBad()]);
  });
  after(() => engine.close());
  beforeEach(() => (engine.reported.length = 0));

  const toldOf = (): unknown => engine.reported.flatMap(({ attributes }) => attributes);

  it('is told the registry, once for each type, and NULL is none', async () => {
    await engine.run('SELECT amount, note FROM shop.onebad');
    expect(toldOf()).to.deep.equal([{ name: 'amount', types: [['S', 1]] }]);
  });

  it('is told also where the statement fails', async () => {
    const failure = await engine.failure('SELECT CAST(amount AS DECIMAL(10, 2)) FROM shop.onebad');
    expect(failure.code).to.equal('EXECUTION_ERROR');
    expect(toldOf()).to.deep.equal([{ name: 'amount', types: [['S', 1]] }]);
  });

  it('is not told where it was met before', async () => {
    await engine.run('SELECT sk, note FROM shop.onebad');
    expect(toldOf()).to.deep.equal([]);
  });
});
