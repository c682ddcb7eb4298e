/** The place of a value in a list. */
import { anyDocumentText, jsonText } from '../json.ts';
import { constantText } from '../literal.ts';
import { toNumber } from '../types/convert.ts';
import { integer } from '../types/sql-type.ts';
import { at, type Writer } from './writer.ts';

export const arrayPosition: Writer = (values) => {
  const [list, value, from] = [anyDocumentText(at(values, 0)), at(values, 1), values[2]];
  const first = from === undefined ? '0::BIGINT' : `CAST(${toNumber(from).sql} AS BIGINT)`;
  const sql =
    value.type.kind === 'text' && constantText(value.sql) !== null
      ? `ps_text_position(${list}, ${value.sql}, ${first})`
      : `ps_position(${list}, ${jsonText(value)}, ${first})`;
  return { sql, type: integer(18) };
};
