import { expect } from 'chai';
import { budgetOf, SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { SqlSyntaxError } from '../../src/parser/errors.ts';
import { crossCheck, type SerializeSql } from '../../src/parser/cross-check.ts';
import { parse } from '../../src/parser/parse.ts';
import { print } from '../../src/parser/print.ts';
import { openSerializer } from './duckdb-serializer.ts';
import { SqlGenerator } from './sql-generator.ts';

/** Of 1,500 statements each. */
const PARTS = budgetOf({ short: 1, long: 3 });

describe('generated queries', () => {
  let serialize: SerializeSql;
  let close: () => void;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());

  for (let part = 0; part < PARTS; part++) {
    it(`are read as DuckDB reads them whenever they are accepted (${SEED_SHOWN}, part ${part + 1})`, async function () {
      this.timeout(60_000);
      const generator = new SqlGenerator(SEED + part);
      let accepted = 0;
      for (let count = 0; count < 1_500; count++) {
        const sql = count % 2 === 0 ? generator.query(2) : `SELECT ${generator.expression(2)}`;
        let query;
        try {
          query = parse(sql);
        } catch (error) {
          expect(error, sql).to.be.instanceOf(SqlSyntaxError);
          continue;
        }
        accepted++;
        const outcome = await crossCheck(sql, query, serialize);
        expect(outcome, `${sql}\n${print(query)}`).to.deep.equal({ kind: 'Agreed' });
        const printed = print(query);
        expect(print(parse(printed)), sql).to.equal(printed);
      }
      expect(accepted).to.be.greaterThan(400);
    });
  }
});
