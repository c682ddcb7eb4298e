/** What a regular expression matches in a text, as lists. */
import { countGroups } from '../../logical/regex-groups.ts';
import { boundedMatch } from '../regex-cost.ts';
import { constantText, quoteText } from '../literal.ts';
import { toText } from '../types/convert.ts';
import { JSON_TYPE, type Typed } from '../types/sql-type.ts';
import { at, type Writer } from './writer.ts';
import { given } from '../named.ts';

/** In PostgreSQL a dot matches line breaks, unless the option n says otherwise. */
function optionsOf(value: Typed | undefined): string {
  const given = value === undefined ? '' : (constantText(toText(value).sql) ?? '');
  return quoteText(given.includes('n') ? given.replaceAll('n', '') : `${given}s`);
}

/** REGEXP_MATCH: the groups of the first match, NULL where one took no part; without groups all that matched. */
export const regexMatch: Writer = (values, budget) => {
  const options = optionsOf(values[2]);
  const groups = countGroups(constantText(at(values, 1).sql) ?? '');
  const wanted = groups === 0 ? [0] : Array.from({ length: groups }, (_, i) => i + 1);
  const made = (text: string, pattern: string): string => {
    const parts = wanted.map(
      (group) =>
        `coalesce(ps_json_of_text(regexp_extract_all(t, ${pattern}, ${group}, ${options})[1]), 'null')`,
    );
    const list = `'[' || ${parts.join(" || ',' || ")} || ']'`;
    return given('t', text, `CASE WHEN regexp_matches(t, ${pattern}, ${options}) THEN ${list} END`);
  };
  return { sql: boundedMatch(at(values, 0), at(values, 1), budget, made), type: JSON_TYPE };
};

const EMPTY = quoteText(
  "REGEXP_SPLIT_TO_ARRAY by a pattern that matches nothing at all; write SPLIT(text, '') for characters",
);

export const regexSplit: Writer = (values, budget) => {
  const options = optionsOf(values[2]);
  const made = (text: string, pattern: string): string =>
    `CASE WHEN regexp_full_match('', ${pattern}) THEN error(${EMPTY}) ` +
    `ELSE CAST(to_json(regexp_split_to_array(${text}, ${pattern}, ${options})) AS VARCHAR) END`;
  return { sql: boundedMatch(at(values, 0), at(values, 1), budget, made), type: JSON_TYPE };
};
