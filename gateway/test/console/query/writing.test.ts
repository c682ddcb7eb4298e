import { expect } from 'chai';
import type { CatalogTable } from '../../../src/console/api/catalog.ts';
import { wordsOfDetail } from '../../../src/console/web/components/detail-words.ts';
import { invisible } from '../../../src/console/web/components/invisible.ts';
import { errorPlace } from '../../../src/console/web/pages/query/editor/error-place.ts';
import { firstQuery } from '../../../src/console/web/pages/query/first-query.ts';
import { linkTo, sqlOfFragment } from '../../../src/console/web/pages/query/link.ts';
import { moved } from '../../../src/console/web/pages/query/result/selection.ts';
import { tables } from '../pictures/states/query-answers.ts';

const said = (detail: string) => ({ kind: 'refused' as const, message: 'Column not found', detail });

describe('where an error stands in a statement', () => {
  it('is the thing at its line and column, with what it suggests', () => {
    const sql = 'SELECT 1,\n  o.nmae FROM shop.orders o';
    const place = errorPlace(
      sql,
      said('at line 2, column 5: Column not found: nmae; did you mean name, "first name"?'),
    );
    expect(place).to.deep.equal({ from: 14, to: 18, suggestions: ['name', '"first name"'] });
    expect(sql.slice(place?.from, place?.to)).to.equal('nmae');
  });

  it('suggests tables as it does columns', () => {
    const sql = 'SELECT * FROM messy.big_order';
    const place = errorPlace(
      sql,
      said(
        'at line 1, column 21: Table not found: messy.big_order; Did you mean big_orders or "Orders-2024"?',
      ),
    );
    expect(place).to.deep.equal({ from: 20, to: 29, suggestions: ['big_orders', '"Orders-2024"'] });
    expect(sql.slice(place?.from, place?.to)).to.equal('big_order');
  });

  it('suggests schemas in the place of the schema', () => {
    for (const [sql, asked, offered] of [
      ['SELECT * FROM mesy.app', 'mesy', 'messy'],
      ['SELECT * FROM "my-shp".app', 'my-shp', '"my-shop"'],
    ] as const) {
      const place = errorPlace(
        sql,
        said(`at line 1, column 15: Schema not found: ${asked}; Did you mean ${offered}?`),
      );
      const mended = `${sql.slice(0, place?.from)}${place?.suggestions[0]}${sql.slice(place?.to)}`;
      expect(mended).to.equal(`SELECT * FROM ${offered}.app`);
    }
  });

  it('suggests the schemas that have the table, where one of several is needed', () => {
    const sql = 'SELECT * FROM Orders o';
    const detail =
      'at line 1, column 15: Schema required for table: Orders; The tenant has several schemas: write <schema>.<table>.';
    expect(errorPlace(sql, said(detail), 0, tables)).to.deep.equal({
      from: 14,
      to: 20,
      suggestions: ['shop.orders'],
    });
  });

  it('counts from where a selection began, and knows quoted names and texts', () => {
    const quoted = errorPlace('SELECT "a b" FROM t', said('at line 1, column 8: no'), 100);
    expect(quoted).to.include({ from: 107, to: 112 });
    expect(errorPlace("SELECT 'it''s'", said('at line 1, column 8: no'))).to.include({ from: 7, to: 14 });
  });

  it('is the end where more was expected, and nowhere where none is said', () => {
    expect(errorPlace('SELECT', said('Parse error at line 1, column 7: unexpected end'))).to.include({
      from: 6,
      to: 6,
    });
    expect(errorPlace('SELECT 1', said('Too many rows'))).to.equal(null);
    expect(errorPlace('SELECT 1', said('at line 9, column 1: no'))).to.equal(null);
  });
});

describe('a link to a statement', () => {
  it('gives it back, whatever is in it', () => {
    for (const sql of ["SELECT '<b>&#%25\u202e' -- \n", 'SELECT 1']) {
      const { hash } = new URL(linkTo('https://penstock.example.com/console/query', sql));
      expect(sqlOfFragment(hash)).to.equal(sql);
    }
  });

  it('that is broken, or of something else, gives none', () => {
    for (const hash of ['', '#', '#sql=%E0%A4%A', '#other=1']) expect(sqlOfFragment(hash)).to.equal(null);
  });
});

describe('a first query', () => {
  it('reads few rows of the largest table, by names that can be written', () => {
    const sql = firstQuery(tables) ?? '';
    expect(sql)
      .to.match(/FROM shop\.orders\nLIMIT 20$/)
      .and.include('order_id');
    expect(firstQuery([])).to.equal(null);
  });

  it('is not ended early by a name with a line break', () => {
    const [table] = tables;
    const key = { partitionKeys: [{ name: 'a\n; b', type: 'S' as const }], sortKeys: [] };
    const odd = { ...table, details: { ...table?.details, key } } as CatalogTable;
    expect(firstQuery([odd])?.split('\n')[0]).to.equal(
      '-- Bind a ; b, its key, and only those items are read.',
    );
  });
});

describe('text of strangers', () => {
  it('is shown with what is not seen by its code', () => {
    expect(invisible('plain – 東京 👩‍🚀')).to.equal(null);
    expect(invisible('a\u202eb\u200b')).to.deep.equal([
      { text: 'a' },
      { text: '\u202e', code: 'U+202E' },
      { text: 'b' },
      { text: '\u200b', code: 'U+200B' },
    ]);
  });
});

describe('keys in the grid', () => {
  const extent = { rows: 100, columns: 5, pageRows: 10 };
  it('lead to cells, and not beyond the edges', () => {
    const at = { row: 0, column: 4 };
    expect(moved(at, 'ArrowUp', false, extent)).to.deep.equal(at);
    expect(moved(at, 'PageDown', false, extent)).to.deep.equal({ row: 10, column: 4 });
    expect(moved(at, 'End', true, extent)).to.deep.equal({ row: 99, column: 4 });
    expect(moved(at, 'Home', false, extent)).to.deep.equal({ row: 0, column: 0 });
    expect(moved(at, 'a', false, extent)).to.equal(null);
  });
});

describe('what a refusal says beyond its message', () => {
  const sql = 'SELECT nmae FROM shop.customers';
  it('is said in sentences, without the place that is underlined', () => {
    const detail = `at line 1, column 8: Column not found: nmae; did you mean name?; an attribute can be quoted\n${sql}\n       ^`;
    expect(wordsOfDetail('Column not found: nmae', detail)).to.equal(
      'Did you mean name? An attribute can be quoted',
    );
  });
  it('is nothing where it only says the same again', () => {
    expect(wordsOfDetail('Not SQL', `at line 3, column 1: Not SQL\n${sql}\n^`)).to.equal(null);
  });
  it('is whole where it has no place', () => {
    expect(wordsOfDetail('Stopped', 'The query was stopped after 3 units')).to.equal(
      'The query was stopped after 3 units',
    );
  });
});
