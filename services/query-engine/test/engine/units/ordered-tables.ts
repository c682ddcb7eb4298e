/** Tables whose indexes lack what ORDER BY … LIMIT may ask for: items, or columns. */
import { engineTable, n, s } from '../shop.ts';
import type { EngineTable, TestItem } from '../engine-table.ts';
import { described, index, key, many, numbered, sized } from './tables.ts';

/**
 * 400 parcels of 2 KB, 100 units; 100 of each of four depots. Every fifth has no weight, so 80 of a depot are in the
 * index, which has the keys alone: an entry is some 30 bytes. Of those with a weight every second is fragile, and the 8
 * lightest of a depot are late. Weights differ.
 */
function parcels(): EngineTable {
  const items = many(400, (i) => {
    const rank = Math.floor(i / 4);
    const weight: TestItem = rank % 5 === 4 ? {} : { weight: n(1000 + i) };
    return sized(
      {
        id: s(numbered('p', i)),
        depot: s(`d${i % 4}`),
        kind: s(rank % 2 === 0 ? 'fragile' : 'plain'),
        state: s(rank < 10 ? 'late' : 'due'),
        ...weight,
      },
      2048,
    );
  });
  return described(engineTable('parcels', key('id'), items), [
    index('by-depot', key('depot', 'weight:N'), { projection: 'KEYS_ONLY' }),
  ]);
}

/**
 * 4 accounts with 200 payments of 1 KB: 25 units each, 100 in all. Half of them have an amount, of account a3 only two,
 * and are in the local index whole; amounts differ.
 */
function payments(): EngineTable {
  const items = many(800, (i) => {
    const seq = Math.floor(i / 4);
    const has = i % 4 === 3 ? seq === 1 || seq === 3 : seq % 2 === 1;
    const amount: TestItem = !has ? {} : { amount: n((seq * 37) % 1009) };
    return sized({ account: s(`a${i % 4}`), seq: n(seq), label: s(`l${seq % 10}`), ...amount }, 1024);
  });
  return described(engineTable('payments', key('account', 'seq:N'), items), [
    index('by-amount', key('account', 'amount:N'), { global: false }),
  ]);
}

/** 400 crates of 1 KB, 50 units, all in one yard; by the keys of the index they would cost 200. */
function crates(): EngineTable {
  const items = many(400, (i) =>
    sized(
      { id: s(numbered('c', i)), yard: s('y'), weight: n(1000 + i), state: s(i < 390 ? 'due' : 'late') },
      1024,
    ),
  );
  return described(engineTable('crates', key('id'), items), [
    index('by-yard', key('yard', 'weight:N'), { projection: 'KEYS_ONLY' }),
  ]);
}

/** Eight accounts: 8 × 0.5 by their keys. */
function accounts(): EngineTable {
  const items = many(8, (i) => sized({ id: s(`a${i}`), owner: s(`o${i}`) }, 1024));
  return described(engineTable('accounts', key('id'), items));
}

export function orderedTables(): readonly EngineTable[] {
  return [parcels(), payments(), crates(), accounts()];
}
