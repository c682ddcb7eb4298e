/** Tables of the tenant that means harm: rows to multiply, documents as deep as DynamoDB takes them, items of 300 columns. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { engineTable, n, s } from '../../engine/shop.ts';
import type { EngineTable } from '../../engine/engine-table.ts';

const ROWS = 1_000;
const COLUMNS = 300;
const WIDE_ROWS = 40;
/** Few: the local endpoint, which the neighbors read from too, works for milliseconds at each. */
const DEEP_ROWS = 8;
/** With the attribute itself, 32: DynamoDB takes no deeper document. */
const LEVELS = 31;

function deep(levels: number): AttributeValue {
  return levels === 1 ? n(1) : { M: { x: deep(levels - 1), y: { L: [n(levels), s('y'.repeat(200))] } } };
}

const KEY = { partitionKey: { name: 'id', type: 'S' }, sortKey: null } as const;

const inHostile = (table: EngineTable): EngineTable => ({
  ...table,
  catalog: { ...table.catalog, schemaName: 'hostile' },
});

export const HOSTILE_TABLES: readonly EngineTable[] = [
  engineTable(
    'rows',
    KEY,
    Array.from({ length: ROWS }, (_, i) => ({
      id: s(`r${i}`),
      n: n(i),
      text: s(`${'ab'.repeat(i % 10)}${i}`),
      mixed: i % 2 === 0 ? n(i) : s(`${i}`),
    })),
  ),
  engineTable(
    'deep',
    KEY,
    Array.from({ length: DEEP_ROWS }, (_, i) => ({ id: s(`d${i}`), deep: deep(LEVELS) })),
    10_000,
  ),
  engineTable(
    'wide',
    KEY,
    Array.from({ length: WIDE_ROWS }, (_, i) => ({
      id: s(`w${i}`),
      ...Object.fromEntries(
        Array.from({ length: COLUMNS }, (_, k) => [
          `c${k}`,
          k % 3 === 0 ? s(`${'x'.repeat(k)}${i}`) : n(i * k),
        ]),
      ),
    })),
    60_000,
  ),
].map(inHostile);
