import { expect } from 'chai';
import type { Catalog } from '../../../src/postgres/catalog/catalog.ts';
import { createCatalog } from '../../../src/postgres/catalog/create-catalog.ts';
import { readAnswers, shortened } from './support/answers.ts';
import { createAsk, objectNames, ourSide, type Outcome } from './support/compare.ts';
import { differenceOf } from './support/differences.ts';
import { statementFiles, type CapturedStatement } from './support/statements.ts';

/** What clients and tools send to look around, answered as PostgreSQL 15 answered with the same tables. */
describe('captured statements of clients have the columns, types and rows of PostgreSQL', function () {
  this.timeout(120_000);
  let catalog: Catalog;
  let ask: (statement: CapturedStatement) => Promise<Outcome>;
  const answers = readAnswers();

  before(async () => {
    catalog = createCatalog();
    const side = ourSide(catalog);
    ask = createAsk(side, await objectNames(side));
  });
  after(() => catalog.close());

  for (const { name, statements } of statementFiles()) {
    it(`${statements.length} of ${name}`, async () => {
      for (const [i, statement] of statements.entries()) {
        const expected = answers[name]?.[i];
        const outcome = shortened(await ask(statement));
        const about = `${name} ${i + 1}: ${statement.sql}`;
        const difference = differenceOf(statement);
        // What PostgreSQL refuses by right or name is refused with its code; what it cannot tell apart is declared.
        if (difference === null) {
          expect(outcome.error?.slice(0, 5), `${about}\n${outcome.error}`).to.equal(
            expected?.error?.slice(0, 5),
          );
          expect(outcome.rows, about).to.deep.equal(expected?.rows);
        }
        if (expected?.error === undefined && outcome.error === undefined) {
          expect(outcome.columns, about).to.deep.equal(expected?.columns);
        }
      }
    });
  }
});
