import { expect } from 'chai';
import { failedTables, reasonOfMany } from '../../src/metadata/failed-tables.ts';

const write = (names: string, reason: string): string => `${names} (${reason})`;
const failed = (names: string, reasonOf: (place: string) => string) =>
  [...names].map((tableName) => {
    const place = `shop.${tableName}`;
    const reason = reasonOf(place);
    return { tableName, reason, reasonOfMany: reasonOfMany(reason, place) };
  });
const notFound = (place: string): string => `Table not found: ${place}`;

describe('Tables that failed', () => {
  it('are one entry where they failed alike, which names some and counts the rest', () => {
    expect(failedTables(failed('abcdef', notFound), 4, write)).to.equal(
      'a, b, c, d and 2 more (Table not found)',
    );
    expect(
      failedTables(
        failed('ab', (place) => `Reading ${place} failed`),
        4,
        write,
      ),
    ).to.equal('a, b (Reading them failed)');
  });

  it('keep the words of one that failed alone', () => {
    expect(failedTables(failed('a', notFound), 4, write)).to.equal('a (Table not found: shop.a)');
  });

  it('have a place for each reason before names of the same fill it', () => {
    const all = [
      ...failed('abcdef', () => 'gone'),
      ...failed('g', () => 'denied'),
      ...failed('hi', () => 'slow'),
    ];
    expect(failedTables(all, 4, write)).to.equal('a, b and 4 more (gone); g (denied); h and 1 more (slow)');
  });

  it('are named no more than is asked for; those of further reasons are counted', () => {
    const all = [...'abcdefg'].flatMap((name) => failed(name, () => `reason ${name}`));
    expect(failedTables(all, 4, write)).to.equal(
      'a (reason a); b (reason b); c (reason c); d (reason d); and 3 more',
    );
  });
});
