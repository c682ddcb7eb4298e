/**
 * `JSONB_EACH(x)` in FROM, the names and values of a map, as a subquery of what there is: `(SELECT k.key, d.x -> k.key AS value FROM
 * (SELECT x) AS d, JSONB_OBJECT_KEYS(d.x) AS k(key))`. The document is written once, since such calls may lie in one another.
 */
import type {
  AstExpression,
  AstFromItem,
  AstQuery,
  AstSelect,
  AstSelectItem,
  Identifier,
  PartsOfDocument,
} from '../parser/ast.ts';
import { plainCall } from '../parser/reader/function-calls.ts';
import { partsMade } from '../parser/reader/table-functions.ts';

type Call = Extract<AstFromItem, { readonly kind: 'TableFunction' }>;
type DerivedTable = Extract<AstFromItem, { readonly kind: 'DerivedTable' }>;

/** The operator that gives a value of the map as each does. */
const OPERATORS: ReadonlyMap<PartsOfDocument | null, '->' | '->>'> = new Map([
  ['EACH', '->'],
  ['EACH_TEXT', '->>'],
]);

/** The subquery that the call is; null of any other call. */
export function entriesOf(call: Call): DerivedTable | null {
  const { name, ordinality, pos } = call;
  const operator = OPERATORS.get(partsMade(name));
  const [document] = call.arguments;
  if (operator === undefined || document === undefined) return null;
  const named = (text: string): Identifier => ({ name: text, quoted: true, pos });
  const column = (of: string, text: string): AstExpression => ({
    kind: 'Name',
    path: [of, text].map((step) => ({ kind: 'Name', identifier: named(step) })),
    pos,
  });
  const item = (expression: AstExpression, alias: string): AstSelectItem => ({
    ...{ kind: 'Expression', expression, alias: named(alias), text: alias, pos },
  });
  const query = (items: readonly AstSelectItem[], from: AstFromItem | null): AstQuery => {
    const clauses = { where: null, groupBy: [], having: null, qualify: null };
    const body: AstSelect = { kind: 'Select', distinct: false, items, from, ...clauses, pos };
    return { kind: 'Query', with: [], recursive: false, body, orderBy: [], limit: null, offset: null, pos };
  };
  const documents: AstFromItem = {
    ...{ kind: 'DerivedTable', query: query([item(document, 'x')], null), lateral: true },
    ...{ alias: named('d'), columnAliases: [], pos },
  };
  const keys: AstFromItem = {
    ...{ kind: 'TableFunction', name: 'JSONB_OBJECT_KEYS', arguments: [column('d', 'x')], ordinality },
    ...{ alias: named('k'), columnAliases: ['key', ...(ordinality ? ['place'] : [])].map(named), pos },
  };
  const from: AstFromItem = {
    ...{
      kind: 'Join',
      join: 'CROSS',
      natural: false,
      on: null,
      using: [],
      left: documents,
      right: keys,
      pos,
    },
  };
  const key = column('k', 'key');
  const part: AstExpression = { kind: 'Binary', operator, left: column('d', 'x'), right: key, pos };
  // A text that is JSON has quotes.
  const value = operator === '->' ? plainCall('TO_JSON', [part], pos) : part;
  const place = ordinality ? [item(column('k', 'place'), 'ordinality')] : [];
  return {
    ...{ kind: 'DerivedTable', query: query([item(key, 'key'), item(value, 'value'), ...place], from) },
    ...{
      lateral: true,
      alias: call.alias ?? named(name.toLowerCase()),
      columnAliases: call.columnAliases,
      pos,
    },
  };
}
