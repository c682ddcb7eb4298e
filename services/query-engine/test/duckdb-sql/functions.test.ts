/** Every function of the list, written with literal arguments and run on DuckDB: its example must come out. */
import { expect } from 'chai';
import type { Database } from '../../src/execution/session/database.ts';
import { openSession, type Session } from '../../src/execution/session/session.ts';
import type { AggregateCall, Expression, LiteralValue } from '../../src/logical/expression.ts';
import type { FunctionDefinition } from '../../src/logical/functions/definition.ts';
import { FUNCTIONS } from '../../src/logical/functions/list.ts';
import { toText } from '../../src/duckdb-sql/types/convert.ts';
import { integer, type Typed } from '../../src/duckdb-sql/types/sql-type.ts';
import { writeAggregateCall } from '../../src/duckdb-sql/aggregate.ts';
import { writeExpression } from '../../src/duckdb-sql/expression.ts';
import type { WriteScope } from '../../src/duckdb-sql/scope.ts';
import { WIDEST } from '../../src/duckdb-sql/text-budget.ts';
import { testDatabase } from '../execution/tables.ts';

/** The examples' only column: x, a whole number. */
const X: Expression = { kind: 'ColumnReference', column: { id: 1, name: 'x' } };
const scope: WriteScope = {
  typeOf: () => integer(3),
  subquery: () => {
    throw new Error('no subqueries here');
  },
  textBudget: WIDEST,
  freshAlias: () => 't1',
};

const literal = (value: LiteralValue): Expression => ({ kind: 'Literal', value });

/** Reads the few forms that the examples use. */
function argument(text: string): Expression {
  const operator = /^(.+) (<|>|%|\*|\/) (.+)$/.exec(text);
  if (operator !== null && !text.startsWith("'")) {
    const [, left = '', sign = '', right = ''] = operator;
    const sides = { left: argument(left), right: argument(right) };
    if (sign === '<' || sign === '>') return { kind: 'Comparison', operator: sign, ...sides };
    return { kind: 'Arithmetic', operator: sign === '%' ? '%' : sign === '/' ? '/' : '*', ...sides };
  }
  if (text === 'x') return X;
  if (text === 'PI()') return { kind: 'FunctionCall', name: 'PI', arguments: [] };
  if (text === 'NULL') return literal({ type: 'null' });
  if (/^-[\d.]+$/.test(text)) return { kind: 'Negate', operand: argument(text.slice(1)) };
  if (/^[\d.]+$/.test(text)) return literal({ type: 'number', text });
  const cast = /^('.*')::(\w+)$/.exec(text);
  if (cast !== null) {
    return { kind: 'Cast', operand: argument(cast[1] ?? ''), sqlType: cast[2] ?? '', tryCast: false };
  }
  const temporal = /^(DATE|TIME|TIMESTAMP) '(.*)'$/.exec(text);
  if (temporal !== null) {
    const sqlType = temporal[1] === 'DATE' ? 'DATE' : temporal[1] === 'TIME' ? 'TIME' : 'TIMESTAMP';
    return literal({ type: 'temporal', sqlType, value: temporal[2] ?? '' });
  }
  const interval = /^INTERVAL '(.*)'$/.exec(text);
  if (interval !== null) return literal({ type: 'interval', value: interval[1] ?? '', unit: null });
  const quoted = /^'(.*)'$/.exec(text);
  if (quoted !== null) return literal({ type: 'text', value: (quoted[1] ?? '').replaceAll("''", "'") });
  throw new Error(`cannot read the example's argument ${text}`);
}

function aggregateCall(definition: FunctionDefinition, args: readonly Expression[]): AggregateCall {
  const within = definition.kind !== 'scalar' && definition.withinGroup !== 'none';
  return {
    name: definition.name,
    arguments: definition.name === 'MODE' ? [] : args,
    distinct: false,
    orderBy: [],
    filter: null,
    withinGroup: within
      ? [{ expression: definition.name === 'MODE' ? (args[0] ?? X) : X, descending: false, nullsFirst: true }]
      : [],
  };
}

const ROWS = '(VALUES (1::BIGINT), (2), (3), (4)) t(c1)';

function query(definition: FunctionDefinition): string {
  const args = definition.example.arguments.map(argument);
  if (definition.kind === 'scalar') {
    const call: Expression = { kind: 'FunctionCall', name: definition.name, arguments: args };
    return `SELECT ${shown(writeExpression(call, scope))}`;
  }
  const call = aggregateCall(definition, args);
  if (definition.kind === 'aggregate') return `SELECT ${shown(writeAggregateCall(call, scope))} FROM ${ROWS}`;
  const value = shown(writeAggregateCall(call, scope, { text: ' OVER (ORDER BY c1)', argumentOrder: null }));
  return `SELECT string_agg(v, ' ' ORDER BY c1) FROM (SELECT c1, ${value} AS v FROM ${ROWS})`;
}

const shown = (value: Typed): string => toText(value).sql;

/** Numbers as numbers, to the digits that sums of doubles are sure of; instants without their zone, which is UTC. */
function same(text: string): string {
  const isNumber = (part: string): boolean => part !== '' && Number.isFinite(Number(part));
  return text
    .replace(/\+00$/, '')
    .split(' ')
    .map((part) => (isNumber(part) ? String(Number(Number(part).toPrecision(12))) : part))
    .join(' ');
}

describe('the function', () => {
  let database: Database;
  let session: Session;
  before(async () => {
    database = testDatabase();
    session = await openSession(database, {
      signal: new AbortController().signal,
      columnNames: new Map(),
    });
  });
  after(async () => {
    session.close();
    await database.close();
  });

  for (const definition of FUNCTIONS) {
    const { name, example } = definition;
    it(`${name}(${example.arguments.join(', ')}) gives ${example.value ?? 'a value'}`, async () => {
      let value: unknown = undefined;
      for await (const chunk of session.stream(query(definition)))
        value = chunk.getColumnVector(0).getItem(0);
      if (example.value === null) return;
      expect(typeof value === 'string' ? same(value) : value).to.equal(same(example.value));
    });
  }
});
