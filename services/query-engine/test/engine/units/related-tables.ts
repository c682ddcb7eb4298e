/** Tables that refer to each other by their keys, with items whose sizes are easy to reckon with. */
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';
import { described, index, key, many, numbered, sized } from './tables.ts';

/**
 * 200 items of 2 KB, 50 units. One in ten has a `referrer`: the person before, except where it is NULL (p010, p110) or
 * names nobody (p020, p120). 25 live in each of eight towns.
 */
function people(): EngineTable {
  const referrer = (i: number): TestItem => {
    if (i % 10 !== 0 || i === 0) return {};
    if (i % 100 === 10) return { referrer: { NULL: true } };
    return { referrer: s(i % 100 === 20 ? 'nobody' : numbered('p', i - 1)) };
  };
  const items = many(200, (i) =>
    sized(
      {
        id: s(numbered('p', i)),
        email: s(`${numbered('p', i)}@example.com`),
        town: s(`t${i % 8}`),
        age: n(i % 50),
        ...referrer(i),
      },
      2048,
    ),
  );
  return described(engineTable('people', key('id'), items), [index('by-email', key('email'))]);
}

/**
 * Four purchases of 1 KB for each of 100 people: 400 KB, 50 units. A person's four are 4 KB, half a unit. Each of the
 * 100 goods was bought four times: half a unit of by-good. `paid` tells of goods in texts: `'7'` for 7.
 */
function purchases(): EngineTable {
  const items = many(400, (i) =>
    sized(
      {
        person: s(numbered('p', Math.floor(i / 4))),
        seq: n(i % 4),
        good: n((i * 7) % 100),
        shop: s(`s${i % 20}`),
        paid: s(String((i * 7) % 100)),
        ...(i % 50 === 0 ? { note: s(`n${i}`) } : {}),
      },
      1024,
    ),
  );
  return described(engineTable('purchases', key('person', 'seq:N'), items), [
    index('by-good', key('good:N')),
    index('by-shop', key('shop', 'seq:N'), { projection: 'KEYS_ONLY' }),
  ]);
}

/** Number keys. 100 items of 2 KB, 25 units; five of each of 20 makers. */
function goods(): EngineTable {
  const items = many(100, (i) =>
    sized({ id: n(i), maker: s(numbered('m', i % 20)), price: n(i * 3), kind: s(`k${i % 4}`) }, 2048),
  );
  return described(engineTable('goods', key('id:N'), items));
}

/** 40 items of 3 KB: 30 steps, 15 units. */
function makers(): EngineTable {
  const items = many(40, (i) => sized({ id: s(numbered('m', i)), country: s(`l${i % 10}`) }, 3072));
  return described(engineTable('makers', key('id'), items));
}

/** 20 items of 4 KB: 10 units, as much as by their keys. */
function shops(): EngineTable {
  const items = many(20, (i) => sized({ id: s(`s${i}`), town: s(`t${i % 8}`) }, 4096));
  return described(engineTable('shops', key('id'), items));
}

/** Two partitions of 100 items of 1 KB: 25 units each, 50 in all. The `price` of goods and the `town` of towns. */
function facts(): EngineTable {
  const items = many(200, (i) =>
    sized(
      { scope: s(i < 100 ? 'price' : 'town'), name: s(i < 100 ? String(i) : `t${i - 100}`), value: n(i) },
      1024,
    ),
  );
  return described(engineTable('facts', key('scope', 'name'), items));
}

/**
 * 100 items of 2 KB, 25 units, and an index of their keys alone: 60 of one label, 12 of another, 28 with labels of their
 * own. So three of a label are expected.
 */
function notes(): EngineTable {
  const label = (i: number): string => (i < 60 ? 'common' : i < 72 ? 'rare' : `l${i}`);
  const items = many(100, (i) => sized({ id: s(numbered('n', i)), label: s(label(i)), value: n(i) }, 2048));
  return described(engineTable('notes', key('id'), items), [
    index('by-label', key('label'), { projection: 'KEYS_ONLY' }),
  ]);
}

/** 100 items of 2 KB, 25 units, and an index of their keys alone, with five topics: 60, 5, 11, 12 and 12 of each; 20 are expected. */
function leaflets(): EngineTable {
  const topic = (i: number): string => (i < 60 ? 't0' : i < 65 ? 't1' : i < 76 ? 't2' : i < 88 ? 't3' : 't4');
  const items = many(100, (i) => sized({ id: s(numbered('f', i)), topic: s(topic(i)), value: n(i) }, 2048));
  return described(engineTable('leaflets', key('id'), items), [
    index('by-topic', key('topic'), { projection: 'KEYS_ONLY' }),
  ]);
}

/** No item. */
function nothing(): EngineTable {
  return described(engineTable('nothing', key('id'), []));
}

export function relatedTables(): readonly EngineTable[] {
  return [people(), purchases(), goods(), makers(), shops(), facts(), notes(), leaflets(), nothing()];
}
