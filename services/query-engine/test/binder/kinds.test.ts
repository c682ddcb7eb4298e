/** What is said where a statement means text, or an element of a list, as other systems write these. */
import { expect } from 'chai';
import { bind } from '../../src/binder/bind.ts';
import { parseParameters } from '../../src/binder/parameters.ts';
import type { Attribute, AttributeType, CatalogTable } from '../../src/catalog/table.ts';
import type { BoundStatement } from '../../src/logical/plan.ts';
import { parse } from '../../src/parser/parse.ts';
import { bindError, table } from './fixture.ts';

const holding = (
  name: string,
  types: readonly AttributeType[],
  nested: readonly Attribute[] = [],
): Attribute => ({
  name,
  types: Object.fromEntries(types.map((type) => [type, 3])),
  integerDigits: 0,
  scale: 0,
  nested,
  distinctValues: 1,
});

const DOCUMENTS: CatalogTable = {
  ...table('documents', ['id']),
  attributes: [
    holding('id', ['S']),
    holding('tags', ['L', 'NULL']),
    holding('codes', ['SS']),
    holding('either', ['L', 'S']),
    holding('m', ['M'], [holding('tags', ['L'])]),
  ],
};

function bindOver(sql: string, parameters = ''): BoundStatement {
  return bind(parse(sql), { sql, parameters: parseParameters(parameters), tables: () => DOCUMENTS });
}

describe('a value beside a list', () => {
  for (const [condition, name] of [
    ["tags = 'a'", 'tags'],
    ["'a' IN (tags)", 'tags'],
    ["codes IN ('a', 'b')", 'codes'],
    ["m.tags = 'a'", 'm.tags'],
    ['tags <> 7', 'tags'],
    ["EXISTS (SELECT 1 FROM documents e WHERE d.tags = 'a')", 'tags'],
  ] as const)
    it(`is told to be no element of it in ${condition}`, () => {
      expect(bindOver(`SELECT id FROM documents d WHERE ${condition}`).warnings).to.deep.equal([
        `${name} holds lists, and no list equals a single value; of its elements: CONTAINS(${name}, value)`,
      ]);
    });

  for (const condition of [
    "tags = '[1]'",
    "either = 'a'",
    "id = 'a'",
    'tags = codes',
    "tags < 'a'",
    'tags = ARRAY[1]',
  ])
    it(`may be meant in ${condition}`, () => {
      expect(bindOver(`SELECT id FROM documents WHERE ${condition}`).warnings).to.deep.equal([]);
    });

  for (const [condition, offer] of [
    ["'a' IN tags", "CONTAINS(tags, 'a')"],
    ['7 NOT IN d.tags', 'CONTAINS(d.tags, 7)'],
    ['id IN "my tags"', 'CONTAINS("my tags", id)'],
  ] as const)
    it(`is offered as ${offer} for ${condition}`, () => {
      expect(() => parse(`SELECT id FROM documents d WHERE ${condition}`))
        .to.throw()
        .that.has.property('detail')
        .that.includes(offer);
    });
});

describe('text in double quotes', () => {
  it('that is the name of no attribute is said to be a name', () => {
    expect(bindOver('SELECT id FROM documents WHERE id = "x\'1"').warnings).to.deep.equal([
      "attribute \"x'1\" of shop.documents is in no sampled item; it is read as it is spelled; if text is meant, it is written 'x''1'",
    ]);
    expect(bindOver('SELECT id FROM documents d WHERE d."x" = 1').warnings[0]).not.to.include('text');
  });

  it('is said to be a name where no table can have it', () => {
    const { detail } = bindError('SELECT c.id FROM customers c JOIN orders o ON c.id = "x1"');
    expect(detail).to.include("if text is meant, it is written 'x1'");
    expect(bindError('SELECT x1 FROM customers').detail).not.to.include('text is meant');
  });
});
