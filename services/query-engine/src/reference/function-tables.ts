/** The function list as tables, with the examples that the tests run. */
import type { FunctionDefinition } from '../logical/functions/definition.ts';
import { NAMES_ELSEWHERE, insteadOf } from '../logical/functions/elsewhere.ts';
import { FUNCTIONS } from '../logical/functions/list.ts';
import { code, table } from './markdown.ts';

const FAMILIES: readonly (readonly [family: FunctionDefinition['family'], title: string, note: string])[] = [
  ['numeric', 'Numbers', ''],
  ['string', 'Text', 'Positions start at 1. Arguments that are no text are taken as their text. Maps, lists and sets are refused where characters are counted or searched.'],
  ['conditional', 'Conditions', 'CASE, BETWEEN, IN, LIKE and the like are operators: see above.'],
  [
    'temporal',
    'Dates and times',
    'An argument that is text is read as an ISO 8601 date or time, of which seconds, dashes and colons may be missing; NULL where it is none, and warnings count these.',
  ],
  ['json', 'Maps, lists and sets', 'Elements of lists are counted from 0.'],
  ['aggregate', 'Aggregates', 'The examples run over rows with x = 1, 2, 3, 4. All take DISTINCT, FILTER (WHERE …) and OVER (…). `APPROX_COUNT_DISTINCT(x)` and `APPROX_DISTINCT(x)` are answered exactly, as `COUNT(DISTINCT x)`; `APPROX_PERCENTILE(x, 0.5)`, `APPROX_QUANTILE` and `PERCENTILE_APPROX` as `PERCENTILE_DISC`; `APPROX_MEDIAN(x)` as `MEDIAN`.'],
  ['window', 'Windows', 'These need OVER (…). The examples run over rows with x = 1, 2, 3, 4, in that order.'],
]; // oxfmt-ignore

/** The example as SQL has it. */
export function exampleCall(definition: FunctionDefinition): string {
  const { name, example, written } = definition;
  if (written === 'bare') return name;
  const call = `${name}(${example.arguments.join(written === 'in' ? ' IN ' : ', ')})`;
  const isOrdered = definition.kind !== 'scalar' && definition.withinGroup === 'required';
  return isOrdered ? `${call} WITHIN GROUP (ORDER BY x)` : call;
}

/** A value as a response shows it: timestamps in ISO 8601. */
export function shownValue({ example: { value } }: FunctionDefinition): string | null {
  return value?.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/, '$1T$2').replace(/\+00$/, '') ?? null;
}

function exampleOf(definition: FunctionDefinition): string {
  const value = shownValue(definition);
  const call = code(exampleCall(definition));
  return value === null ? call : `${call} → ${code(value === '' ? "''" : value)}`;
}

function argumentCount(definition: FunctionDefinition): string {
  const { min, max } = definition;
  if (definition.kind !== 'scalar' && definition.star) return `* or ${min}`;
  if (max === null) return `${min} or more`;
  return min === max ? String(min) : `${min} to ${max}`;
}

function familyTable(family: FunctionDefinition['family']): string {
  const rows = FUNCTIONS.filter((definition) => definition.family === family).map((definition) => [
    [definition.name, ...definition.aliases].map(code).join(', '),
    argumentCount(definition),
    definition.summary,
    exampleOf(definition),
  ]);
  return table(['Function', 'Arguments', 'What it gives', 'Example'], rows);
}

/** One table a family, and what to write instead of functions that are not there. */
export function functionTables(): readonly string[] {
  const advice = new Map<string, string[]>();
  for (const name of NAMES_ELSEWHERE) {
    const text = insteadOf(name) ?? '';
    advice.set(text, [...(advice.get(text) ?? []), name]);
  }
  return [
    ...FAMILIES.flatMap(([family, title, note]) => [
      `### ${title}`,
      ...(note === '' ? [] : [note]),
      familyTable(family),
    ]),
    '### Functions of other systems',
    'A function that is not in these tables is refused by name, with the nearest that is. Of some, the error says more:',
    table(
      ['Not here', 'Instead'],
      [...advice].map(([text, names]) => [names.map(code).join(', '), text]),
    ),
  ];
}
