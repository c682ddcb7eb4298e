/** Every function of the list, written with literal arguments and run on DuckDB: its example must come out. */
import { expect } from 'chai';
import type { Database } from '../../src/execution/session/database.ts';
import { openSession, type Session } from '../../src/execution/session/session.ts';
import { statementTime, type StatementTime } from '../../src/logical/statement-time.ts';
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

/** Two times at which nothing that clocks show is the same. */
const TIMES = [Date.UTC(2026, 10, 20, 12, 34, 56, 789), Date.UTC(2027, 4, 6, 7, 8, 9)].map(statementTime);

describe('the function', () => {
  let database: Database;
  let session: Session;
  let later: Session;
  before(async () => {
    database = testDatabase();
    const open = (time: StatementTime | undefined): Promise<Session> =>
      openSession(database, { signal: new AbortController().signal, columnNames: new Map(), time });
    [session, later] = await Promise.all([open(TIMES[0]), open(TIMES[1])]);
  });
  after(async () => {
    session.close();
    later.close();
    await database.close();
  });

  const valueBy = async (by: Session, definition: FunctionDefinition): Promise<unknown> => {
    let value: unknown = undefined;
    for await (const chunk of by.stream(query(definition))) value = chunk.getColumnVector(0).getItem(0);
    return value;
  };

  for (const definition of FUNCTIONS) {
    const { name, example } = definition;
    const readsClock = definition.kind === 'scalar' && definition.readsClock === true;
    // What gives another value each time is neither offered nor folded.
    it(`${name} gives ${readsClock ? 'one value at a time of the statement' : 'the same value at any time'}`, async () => {
      const [first, again, other] = [
        await valueBy(session, definition),
        await valueBy(session, definition),
        await valueBy(later, definition),
      ];
      expect(again).to.deep.equal(first);
      if (readsClock) expect(other).to.not.deep.equal(first);
      else expect(other).to.deep.equal(first);
    });
    it(`${name}(${example.arguments.join(', ')}) gives ${example.value ?? 'a value'}`, async () => {
      const value = await valueBy(session, definition);
      if (example.value === null) return;
      expect(typeof value === 'string' ? same(value) : value).to.equal(same(example.value));
    });
  }
});
