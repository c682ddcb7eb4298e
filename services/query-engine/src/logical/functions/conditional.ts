/** Functions that choose. */
import { scalars } from './definition.ts';

export const CONDITIONAL_FUNCTIONS = scalars('conditional', [
  {
    name: 'COALESCE',
    aliases: ['IFNULL', 'NVL'],
    takes: ['any', 'any...'],
    result: 'common',
    summary: 'The first argument that is not NULL.',
    example: { arguments: ['NULL', '2', '3'], value: '2' },
    duckdb: { own: 'COALESCE' },
  },
  {
    name: 'NULLIF',
    takes: ['any', 'any'],
    result: { sameAs: 0 },
    summary: 'NULL where both are equal, else the first.',
    example: { arguments: ['1', '1'], value: null },
    duckdb: { own: 'NULLIF' },
  },
  {
    name: 'IF',
    aliases: ['IIF'],
    takes: ['condition', 'any', 'any'],
    result: 'common',
    summary: 'The second where the first is true, else the third.',
    example: { arguments: ['1 < 2', "'yes'", "'no'"], value: 'yes' },
    duckdb: { own: 'IF' },
  },
]);
