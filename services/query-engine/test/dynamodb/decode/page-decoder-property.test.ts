/** The decoder against `JSON.parse` of the page, value by value: the fast path may say nothing else. */
import { expect } from 'chai';
import { TypeCode, textOf, type ColumnBatch } from '../../../src/dynamodb/column-batch.ts';
import { cellAt, type Cell } from '../../../src/dynamodb/decode/cell.ts';
import { MalformedBodyError } from '../../../src/dynamodb/decode/malformed-body.ts';
import { createPageDecoder } from '../../../src/dynamodb/decode/page-decoder.ts';
import type { DocumentStep } from '../../../src/logical/expression.ts';
import type { Sliced } from '../../../src/scheduling/sliced-work.ts';
import { SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { seededRandom, type Random } from '../random.ts';
import { compactJson, generatedDocument } from './generated-documents.ts';
import type { Json } from './generated-pages.ts';

const ATTRIBUTES = ['pk', 'a', 'ab', 'größe', 'b', 'c'];
/** `a` and what is in it, `ab` twice, and one that is wanted but for what is in it; `c` is unknown. */
const PATHS: readonly (readonly DocumentStep[])[] = [
  ['pk'],
  ['a'],
  ['a', 'b'],
  ['a', 1],
  ['ab'],
  ['ab'],
  ['größe'],
  ['b', 0],
];
const KNOWN = ['pk', 'a', 'ab', 'größe', 'b'];

/** A page of items that are mostly alike, with chance escapes, and all of another kind here and there. */
function generatedPage(random: Random, items: number, escapes: number): string {
  const alike = ATTRIBUTES.map(() => generatedDocument(random, 3, escapes));
  const list = Array.from({ length: items }, () => {
    const item: { [name: string]: Json } = {};
    for (const [i, name] of ATTRIBUTES.entries()) {
      if (random.chance(0.1)) continue;
      item[name] = random.chance(0.7) ? (alike[i] as Json) : generatedDocument(random, 3, escapes);
    }
    return item;
  });
  return compactJson(random, { Items: list, Count: items }, escapes);
}

/** The cells of a page as `JSON.parse` has it; null where it is damaged. */
function expectedRows(page: string): Cell[][] | null {
  try {
    const { Items: items } = JSON.parse(page) as { Items?: Record<string, unknown>[] | null };
    return (items ?? []).map((item) =>
      PATHS.map(([name, ...below]) => {
        const value = Object.hasOwn(item, String(name)) ? item[String(name)] : undefined;
        if (value === undefined) return { type: TypeCode.MISSING, value: null };
        const cell = cellAt(value, below);
        // A surrogate without its other half has no UTF-8.
        return { ...cell, value: cell.value?.toWellFormed() ?? null };
      }),
    );
  } catch {
    return null;
  }
}

/** The page without the escapes that JSON does not have. */
const withoutIllegalEscapes = (page: string): string =>
  page.replace(/\\(?:u[0-9a-fA-F]{4}|[^])/g, (escape) =>
    escape.length > 2 || /["\\/bfnrt]/.test(escape.charAt(1)) ? escape : 'xx',
  );

/** Slices of each in turn until all are done. */
function byTurns<T>(works: readonly Sliced<T>[]): T[] {
  const results = new Map<Sliced<T>, T>();
  while (results.size < works.length)
    for (const work of works) {
      if (results.has(work)) continue;
      const step = work.next();
      if (step.done === true) results.set(work, step.value);
    }
  return works.map((work) => results.get(work) as T);
}

const rowsOf = ({ rowCount, columns }: ColumnBatch): Cell[][] =>
  Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) => ({ type: (column.types[row] ?? 0) as TypeCode, value: textOf(column, row) })),
  );

const decoderOf = () =>
  createPageDecoder(
    PATHS.map((path) => ({ path })),
    KNOWN,
  );

describe(`page decoder against JSON.parse (${SEED_SHOWN})`, () => {
  it('makes the same cells of any items, page after page', () => {
    const random = seededRandom(SEED);
    for (let read = 0; read < 60; read++) {
      const decoder = decoderOf();
      let discovered = 0;
      for (let number = 0; number < 4; number++) {
        const page = generatedPage(random, random.int(25), read % 3 === 0 ? 0.05 : 0);
        const { batch } = decoder.decode(Buffer.from(page));
        expect(rowsOf(batch), page).to.deep.equal(expectedRows(page));
        for (const { types, typesSeen } of batch.columns)
          expect(typesSeen).to.equal([...types].reduce((bits, type) => bits | (1 << type), 0));
        for (const item of (JSON.parse(page) as { Items: Record<string, Json>[] }).Items)
          if (item['c'] !== undefined) discovered |= 1 << cellAt(item['c'], []).type;
      }
      expect(decoder.discovered().get('c') ?? 0).to.equal(discovered);
    }
  });

  it('reads documents of every type without parsing the page', () => {
    // An escape that JSON does not have, in a text that nobody asked for: parsing the page would refuse it.
    const page =
      '{"Items":[{"x":{"S":"\\q"},"m":{"M":{"b":{"L":[{"N":"1"},{"S":"\\"\\u0041"}]},"a":{"BOOL":true}}},"l":{"L":[{"NULL":true}]},"s":{"SS":["b","a\\n"]},"n":{"NS":["2","1"]},"b":{"BS":["Ag==","AQ=="]}}]}';
    const paths = [['m'], ['m', 'a'], ['l'], ['s'], ['n'], ['b']];
    const { batch } = createPageDecoder(paths.map((path) => ({ path }))).decode(Buffer.from(page));
    expect(rowsOf(batch)[0]?.map(({ value }) => value)).to.deep.equal([
      '{"a":true,"b":[1,"\\"A"]}',
      'true',
      '[null]',
      '["a\\n","b"]',
      '[1,2]',
      '["AQ==","Ag=="]',
    ]);
  });

  it('makes the same cells of bodies that it decodes by turns', () => {
    const random = seededRandom(SEED);
    for (let round = 0; round < 5; round++) {
      const decoder = decoderOf();
      const pages = Array.from({ length: 3 }, () => generatedPage(random, 150, 0.02));
      const works = pages.map((page) => decoder.decodeSliced(Buffer.from(page)));
      const rows = byTurns(works).map(({ batch }) => rowsOf(batch));
      expect(rows).to.deep.equal(pages.map(expectedRows));
    }
  });

  it('makes the same cells of a damaged body, or none', () => {
    const random = seededRandom(SEED);
    const units = ['', '"', '{', '}', '[', ']', ',', ':', '\\', 'x', '0', ' ', '""', '{}'];
    let decodedCount = 0;
    for (let round = 0; round < 4000; round++) {
      const page = generatedPage(random, 1 + random.int(3), 0.01);
      const at = random.int(page.length);
      const damaged =
        `${page.slice(0, at)}${random.pick(units)}${page.slice(at + random.int(3))}`.toWellFormed();
      let rows: Cell[][];
      try {
        rows = rowsOf(decoderOf().decode(Buffer.from(damaged)).batch);
      } catch (error) {
        expect(error, damaged).to.be.instanceOf(MalformedBodyError);
        continue;
      }
      decodedCount++;
      // Escapes in texts that nobody asked for are not looked at.
      const expected = expectedRows(damaged) ?? expectedRows(withoutIllegalEscapes(damaged));
      expect(rows, damaged).to.deep.equal(expected);
    }
    expect(decodedCount).to.be.within(400, 3600);
  });
});
