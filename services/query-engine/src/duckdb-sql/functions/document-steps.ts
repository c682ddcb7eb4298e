/** Steps into documents and parts of lists: PostgreSQL's `->`, `#>` and slices. */
import { anyDocumentText, jsonPointer } from '../json.ts';
import { constantText, quoteText } from '../literal.ts';
import { boundedText } from '../bounded-text.ts';
import type { TextBudget } from '../text-budget.ts';
import { toNumber, toText } from '../types/convert.ts';
import { DOUBLE, JSON_TYPE, isNumber, mixed, type Typed } from '../types/sql-type.ts';
import { at } from './writer.ts';

/** A name that DuckDB's paths take in quotes: there it is of a map alone, as a place in brackets is of a list alone. */
const PLAIN_NAME = /^[^"*\\]+$/;
const PLACE = /^\(?(-?)(\d{1,9})\)?::\w+$/;

const extract = (document: string, path: string): string => `json_extract(${document}, ${path})`;

/** What lies at `->` steps: a number is a place in a list, a text a name in a map; where they do not fit it is NULL. */
export function jsonGet([document, ...steps]: readonly Typed[]): Typed {
  const found = steps.reduce(stepInto, anyDocumentText(document ?? at([], 0)));
  return { sql: `ps_mixed_of_step(${found})`, type: mixed(DOUBLE) };
}

function stepInto(document: string, step: Typed): string {
  const name = step.type.kind === 'text' ? constantText(step.sql) : null;
  if (name !== null) {
    const path = PLAIN_NAME.test(name) ? `$."${name}"` : jsonPointer(name);
    return extract(document, quoteText(path));
  }
  const [place, sign, digits] = PLACE.exec(step.sql) ?? [];
  if (place !== undefined) return extract(document, `'$[${sign === '-' ? '#-' : ''}${digits}]'`);
  const of = (kind: string, value: string): string => `ps_step_of(${kind}, ${value})`;
  if (isNumber(step.type)) return extract(document, of('TRUE', toText(step).sql));
  if (step.type.kind === 'mixed') return extract(document, of(`(${step.sql}).k = 1`, toText(step).sql));
  return extract(document, of('FALSE', toText(step).sql));
}

/** What lies at a path of texts, each a name in a map or a place in a list. */
export function jsonExtractPath([document, ...steps]: readonly Typed[]): Typed {
  let found = anyDocumentText(document ?? at([], 0));
  let path = '';
  const end = (): void => {
    if (path !== '') found = extract(found, quoteText(path));
    path = '';
  };
  for (const step of steps) {
    const name = constantText(toText(step).sql);
    if (name !== null && !/^-[1-9]\d{0,8}$/.test(name)) path += jsonPointer(name);
    else {
      end();
      found = extract(found, `ps_step(${toText(step).sql})`);
    }
  }
  end();
  return { sql: `ps_mixed_of_step(${found})`, type: mixed(DOUBLE) };
}

/** `list[from : to]`: places from 0, both ends included; below 0 they count from the end. */
export function elementsBetween(values: readonly Typed[], budget: TextBudget): Typed {
  const [from, to] = [at(values, 1), at(values, 2)].map((place) => `CAST(${toNumber(place).sql} AS BIGINT)`);
  const list = `ps_elements_between(${anyDocumentText(at(values, 0))}, ${from}, ${to})`;
  return { ...boundedText(list, budget), type: JSON_TYPE };
}
