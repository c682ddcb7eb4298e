import { expect } from 'chai';
import { parse } from '../../src/parser/parse.ts';
import { crossCheck, type SerializeSql } from '../../src/parser/cross-check.ts';
import { print } from '../../src/parser/print.ts';
import { openSerializer } from './duckdb-serializer.ts';
import { refusalOf } from './refusal.ts';
import { statements, unsupportedStatements } from './statements.ts';

describe('the collected statements', () => {
  let serialize: SerializeSql;
  let close: () => void;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());

  const accepted = statements.filter(({ sql, reject }) => reject !== true && !unsupportedStatements.has(sql));

  it('are all there: 657, of which 91 are no queries and 6 are unsupported by name', () => {
    expect(statements).to.have.length(657);
    expect(statements.filter(({ reject }) => reject === true)).to.have.length(91);
    expect(accepted).to.have.length(566 - unsupportedStatements.size);
    expect(unsupportedStatements.size).to.equal(6);
  });

  it('parse as DuckDB reads them, every one that is supported', async () => {
    const wrong: unknown[] = [];
    for (const { sql } of accepted) {
      const query = parse(sql);
      const outcome = await crossCheck(sql, query, serialize);
      if (outcome.kind !== 'Agreed') wrong.push({ sql, printed: print(query), outcome });
    }
    expect(wrong).to.deep.equal([]);
  });

  it('print as text that parses to the same tree again', () => {
    for (const { sql } of accepted) {
      const printed = print(parse(sql));
      expect(print(parse(printed)), sql).to.equal(printed);
    }
  });

  it('are refused where they are no queries', () => {
    for (const { sql } of statements.filter(({ reject }) => reject === true)) {
      const { message, detail } = refusalOf(sql);
      expect(message, sql).to.match(/^(Parse error|Unsupported SQL): /);
      expect(detail, sql).to.match(/ at line \d+, column \d+: .+\n.*\n\s*\^$/);
    }
  });

  for (const [sql, what] of unsupportedStatements) {
    it(`are refused by name, with what to write instead, where unsupported: ${sql}`, () => {
      const refusal = refusalOf(sql);
      expect(refusal).to.include({ kind: 'unsupported', message: `Unsupported SQL: ${what}` });
      expect(refusal.detail, 'says what to write instead').to.match(/: [^;\n]+; \w/);
    });
  }
});
