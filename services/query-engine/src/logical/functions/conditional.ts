/** Functions that choose. */
import { family } from './definition.ts';

export const CONDITIONAL_FUNCTIONS = family('scalar', 'conditional', [
  {
    name: 'COALESCE',
    aliases: ['IFNULL', 'NVL'],
    min: 1,
    max: null,
    result: 'common',
    summary: 'The first argument that is not NULL.',
    example: { arguments: ['NULL', '2', '3'], value: '2' },
  },
  {
    name: 'NULLIF',
    min: 2,
    max: 2,
    result: { sameAs: 0 },
    summary: 'NULL where both are equal, else the first.',
    example: { arguments: ['1', '1'], value: null },
  },
  {
    name: 'IF',
    aliases: ['IIF'],
    min: 3,
    max: 3,
    result: 'common',
    summary: 'The second where the first is true, else the third.',
    example: { arguments: ['1 < 2', "'yes'", "'no'"], value: 'yes' },
    duckdb: 'CASE WHEN $1 THEN $2 ELSE $3 END',
  },
]);
