/** The SQL reference for users, as Markdown: prose, and tables from the function list and the limits. Pure. */
import { FOUND_BY_KEY } from './found-by-key.ts';
import { functionTables } from './function-tables.ts';
import { limitTable } from './limit-table.ts';
import { code, table } from './markdown.ts';
import { OTHER_DIALECTS } from './other-dialects.ts';
import { REFUSED } from './refused.ts';
import { SHOWN } from './shown-values.ts';
import {
  CHEAP,
  GRAMMAR,
  INDEXES_BY_NAME,
  SEGMENTS_BY_NAME,
  INTRODUCTION,
  NAMES,
  PARAMETERS,
  SEMANTICS,
  TYPES,
} from './sections.ts';

function refusedTable(): string {
  return table(
    ['Refused', 'Instead'],
    REFUSED.map(({ sql, instead }) => [code(sql), 'sql' in instead ? code(instead.sql) : instead.words]),
  );
}

/** The whole text; the same on every call. */
export function sqlReference(): string {
  return [
    INTRODUCTION,
    GRAMMAR,
    NAMES,
    INDEXES_BY_NAME,
    SEGMENTS_BY_NAME,
    TYPES,
    SHOWN,
    SEMANTICS,
    PARAMETERS,
    CHEAP,
    FOUND_BY_KEY,
    '## Functions',
    ...functionTables(),
    OTHER_DIALECTS,
    '## Refused, and what to write instead',
    refusedTable(),
    '## Limits',
    limitTable(),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}
