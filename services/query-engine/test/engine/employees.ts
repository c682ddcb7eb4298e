/** Forty employees, each the boss of three: e1 of e2 to e4, e2 of e5 to e7, and so on. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { engineTable, s } from './shop.ts';
import type { EngineTable } from './engine-table.ts';

export function employees(): EngineTable {
  const items = Array.from({ length: 40 }, (_, i): Readonly<Record<string, AttributeValue>> => {
    const tags = i === 0 ? { tags: { L: ['a', 'b', 'c'].map(s) } } : {};
    return { id: s(`e${i + 1}`), ...(i === 0 ? {} : { boss: s(`e${Math.ceil(i / 3)}`) }), ...tags };
  });
  return engineTable('staff', { partitionKey: { name: 'id', type: 'S' }, sortKey: null }, items);
}
