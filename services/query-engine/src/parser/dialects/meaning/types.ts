import type { AstExpression } from '../../ast.ts';
import type { Dialect, DialectName } from '../dialect.ts';
import { NoOfferError } from '../no-offer.ts';
import { numberKind } from './number-kinds.ts';

type Cast = Extract<AstExpression, { kind: 'Cast' }>;

const map = (entries: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(entries).flatMap(([ours, names]) => names.split(' ').map((name) => [name, ours] as const)),
  );

const WHOLE = map({
  SMALLINT: 'SMALLINT INT2 TINYINT',
  INTEGER: 'INT INTEGER INT4 MEDIUMINT',
  BIGINT: 'BIGINT INT64 INT8 SIGNED BYTEINT',
});
const OTHERS = map({
  DOUBLE: 'DOUBLE FLOAT64 FLOAT8',
  BOOLEAN: 'BOOLEAN BOOL BIT',
  DATE: 'DATE',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP DATETIME DATETIME2 TIMESTAMP_NTZ',
  JSON: 'JSON',
});
const TEXT = new Set('CHAR VARCHAR NVARCHAR NCHAR TEXT NTEXT STRING CHARACTER_VARYING'.split(' '));
const DECIMALS = new Set('DECIMAL NUMERIC NUMBER DEC'.split(' '));
/** Digits of a DECIMAL that says none. */
const DIGITS: Readonly<Record<DialectName, string>> = {
  MySQL: '10,0',
  MariaDB: '10,0',
  'SQL Server': '18,0',
  BigQuery: '38,9',
  Snowflake: '38,0',
  SQLite: '',
  Hive: '10,0',
  Trino: '38,0',
  Athena: '38,0',
  Redshift: '18,0',
};
/** Types that only some have: elsewhere the statement is not of that dialect. */
const ONLY_IN: ReadonlyMap<string, readonly DialectName[]> = new Map([
  ['SIGNED', ['MySQL', 'MariaDB']],
  ...['INT64', 'FLOAT64'].map((name): [string, readonly DialectName[]] => [name, ['BigQuery']]),
  ...['NVARCHAR', 'NCHAR', 'NTEXT', 'DATETIME2', 'BIT'].map((name): [string, readonly DialectName[]] => [
    name,
    ['SQL Server'],
  ]),
  ['STRING', ['BigQuery', 'Snowflake', 'Hive']],
]);
/** Where FLOAT is of 64 bits. */
const LONG_FLOATS: readonly DialectName[] = ['SQL Server', 'Snowflake', 'Redshift'];
/** What SQL Server keeps of a text whose type says no length, characters. */
const DEFAULT_LENGTH = 30;

/** A cast to a type of a dialect, as our dialect has it. @throws NoOfferError of a type that is not known here */
export function castAs(node: Cast, dialect: Dialect): AstExpression {
  const { name: type, digits } = partsOf(node.type);
  if (ONLY_IN.get(type)?.includes(dialect.name) === false) throw new NoOfferError(`the type ${type}`);
  // What Hive can't cast is NULL there.
  const cast = { ...node, tryCast: node.tryCast || dialect.name === 'Hive' };
  if (TEXT.has(type)) return asText(cast, type, digits, dialect.name);
  const whole = WHOLE.get(type);
  if (whole !== undefined) return asWhole({ ...cast, type: whole }, dialect);
  if (DECIMALS.has(type)) return { ...cast, type: `DECIMAL(${decimalDigits(digits, dialect.name)})` };
  const known = OTHERS.get(type) ?? floatOf(type, dialect.name);
  if (known === undefined || digits !== '') throw new NoOfferError(`the type ${type}`);
  return { ...cast, type: known };
}

/** `VARCHAR(10)` as its name and what is in its brackets. */
function partsOf(type: string): { readonly name: string; readonly digits: string } {
  const [name = '', rest = ''] = type.split('(');
  if (type.includes('[')) throw new NoOfferError('lists as types');
  return { name: name.trim().replaceAll(' ', '_'), digits: rest.replace(')', '') };
}

function decimalDigits(digits: string, dialect: DialectName): string {
  const said = digits === '' ? DIGITS[dialect] : digits;
  if (said === '') throw new NoOfferError('a DECIMAL without digits');
  return said.includes(',') ? said : `${said},0`;
}

function floatOf(type: string, dialect: DialectName): string | undefined {
  if (type === 'DOUBLE_PRECISION') return 'DOUBLE';
  if (type === 'FLOAT') return LONG_FLOATS.includes(dialect) ? 'DOUBLE' : 'REAL';
  if (type === 'REAL' || type === 'FLOAT4') return dialect === 'SQLite' ? 'DOUBLE' : 'REAL';
  return undefined;
}

/** Cut to the type's length. */
function asText(cast: Cast, type: string, digits: string, dialect: DialectName): AstExpression {
  const text: Cast = { ...cast, type: 'VARCHAR' };
  const isFixed = type === 'CHAR' || type === 'NCHAR';
  const isMysql = dialect === 'MySQL' || dialect === 'MariaDB';
  if (isFixed && !isMysql) throw new NoOfferError('texts filled up with spaces');
  const isDefault =
    digits === '' && dialect === 'SQL Server' && /VARCHAR/.test(type) && !isKnownShort(cast.operand);
  if (digits === '' && !isDefault) return text;
  const { pos } = cast;
  const length: AstExpression = {
    kind: 'NumberLiteral',
    text: isDefault ? String(DEFAULT_LENGTH) : digits,
    pos,
  };
  const none = { star: false, distinct: false, orderBy: [], withinGroup: [], filter: null, over: null };
  return { kind: 'FunctionCall', name: 'LEFT', arguments: [text, length], ...none, pos };
}

/** Numbers are never cut. */
const isKnownShort = (node: AstExpression): boolean =>
  numberKind(node) !== 'unknown' || (node.kind === 'FunctionCall' && /^(SUM|AVG|NOW)$/.test(node.name));

/** A whole number of one with a fraction: rounded or cut, as the dialect does. */
function asWhole(cast: Cast, { castsToWhole, name }: Dialect): AstExpression {
  if (castsToWhole === 'rounds' || numberKind(cast.operand) === 'whole') return cast;
  if (castsToWhole === 'unknown') throw new NoOfferError(`a number cast to a whole one by ${name}`);
  const { pos, operand } = cast;
  const none = { star: false, distinct: false, orderBy: [], withinGroup: [], filter: null, over: null };
  return { ...cast, operand: { kind: 'FunctionCall', name: 'TRUNC', arguments: [operand], ...none, pos } };
}
