/**
 * TABLESAMPLE, without chance: which rows are taken follows from their keys, or their segments, and the seed, so that pages of a
 * result fit together, and whoever asks again has the same sample of the same items.
 */
import { createHash } from 'node:crypto';
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { SAMPLED_SEGMENT } from '../catalog/segment-relation.ts';
import { requiredAttributes } from '../catalog/index-relation.ts';
import {
  castTo,
  columnReference,
  comparison,
  expression,
  FALSE_LITERAL,
  functionCall,
  literal,
  TRUE_LITERAL,
} from '../logical/build-expression.ts';
import type { Expression } from '../logical/expression.ts';
import type { AstSample } from '../parser/ast.ts';
import type { StatementContext } from './context.ts';
import { scanColumn, type TableRelation } from './scope.ts';

const HASH_DIGITS = 8;
const HASHES = 16 ** HASH_DIGITS;
/** Of a sample that names no seed. */
const SEED = '0';

/** What rows of the sample fulfil. */
export function sampled(
  statement: StatementContext,
  relation: TableRelation,
  { method, percent, seed, pos }: AstSample,
): Expression {
  const part = Number(percent) / 100;
  if (part === 1) return TRUE_LITERAL;
  if (part === 0) return FALSE_LITERAL;
  // `7.0` is the seed 7.
  const sown = seed === null ? SEED : String(Number(seed));
  if (method === 'BERNOULLI' || relation.table.told?.has(SAMPLED_SEGMENT) !== true)
    return ofRows(statement, relation, part, sown);
  const segment = columnReference(scanColumn(statement, relation, [SAMPLED_SEGMENT]), pos);
  const values = segmentsOf(part, sown).map((number) =>
    literal({ type: 'number', text: String(number) }, pos),
  );
  return expression({ kind: 'InList', operand: segment, values, negated: false, pos });
}

/** So many segments, spread by a hash: reading them costs that part of a scan, and half a unit each at least. */
function segmentsOf(part: number, seed: string): readonly number[] {
  const hashOf = (segment: number): string => createHash('md5').update(`${seed} ${segment}`).digest('hex');
  return Array.from({ length: SEGMENT_COUNT }, (_, segment) => ({ segment, hash: hashOf(segment) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, Math.ceil(part * SEGMENT_COUNT))
    .map(({ segment }) => segment)
    .sort((a, b) => a - b);
}

/** Rows by a hash of their keys: the whole table is read for them. */
function ofRows(
  statement: StatementContext,
  relation: TableRelation,
  part: number,
  seed: string,
): Expression {
  const text = (value: string): Expression => literal({ type: 'text', value });
  const keys = requiredAttributes(relation.table).map(({ name }) =>
    castTo(columnReference(scanColumn(statement, relation, [name])), 'VARCHAR'),
  );
  const hashed = functionCall('CONCAT_WS', [text(' '), text(seed), ...keys]);
  const bound = Math.floor(part * HASHES)
    .toString(16)
    .padStart(HASH_DIGITS, '0');
  return comparison('<', functionCall('MD5', [hashed]), text(bound), relation.name.pos);
}
