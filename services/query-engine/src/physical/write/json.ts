/** Values as JSON text: exact digits, no detour through a double. */
import { toText } from '../types/convert.ts';
import type { Typed } from '../types/sql-type.ts';

/** JSON text of a value; SQL NULL where the value is NULL. */
export function jsonText(value: Typed): string {
  switch (value.type.kind) {
    case 'integer':
    case 'boolean':
    case 'decimal':
    case 'double':
    case 'json':
      return toText(value).sql;
    case 'mixed':
      return `ps_json_of_mixed(${value.sql})`;
    case 'null':
    case 'text':
    case 'binary':
    case 'temporal':
    case 'row':
      return `ps_json_of_text(${toText(value).sql})`;
  }
}
