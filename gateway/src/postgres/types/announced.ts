/**
 * Types under which columns of a statement over tables are announced: PostgreSQL's own, where the engine's values can be
 * written as it has them, else the engine's.
 */
import { withoutTrailing } from '@penstock/common/text/without-trailing.ts';
import type { DescribedColumn, DescribedType } from '../../clients/postgres-clients.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { cutName } from '../servers/tables/names.ts';
import { ARRAYS, OID, typeNamed, type TypeName } from './oids.ts';
import { MisfitError, type WriteValue } from './misfit.ts';
import { digitsOf, MODIFIER_HEAD } from './numeric-modifier.ts';
import { shownIn } from './session-zone.ts';
import { plainNumber } from './plain-number.ts';
import { binaryArray, textArray } from './write-array.ts';
import { valueWriter } from './write-value.ts';

/** A value that is taken out of a document is one itself, and its token is what stood there. */
const DOCUMENTS: readonly TypeName[] = ['json', 'jsonb'];
const FRACTIONS: readonly TypeName[] = ['numeric', 'float4', 'float8', ...DOCUMENTS];
const NUMBERS: readonly TypeName[] = ['int2', 'int4', 'int8', ...FRACTIONS];

/** By the engine's type, what its values may be announced as. */
const WRITTEN_AS: Readonly<Record<DescribedType, readonly TypeName[]>> = Object.freeze({
  text: ['text', 'varchar', 'bpchar', 'name', 'tid', ...DOCUMENTS],
  numeric: NUMBERS,
  int2: NUMBERS,
  int4: NUMBERS,
  int8: NUMBERS,
  float4: FRACTIONS,
  float8: FRACTIONS,
  bool: ['bool', ...DOCUMENTS],
  bytea: ['bytea'],
  jsonb: DOCUMENTS,
  date: ['date', 'timestamp', 'timestamptz'],
  time: ['time'],
  timestamp: ['timestamp', 'timestamptz'],
  timestamptz: ['timestamptz'],
  interval: ['interval'],
});

/** Elements of arrays that are lists to the engine. */
const ELEMENTS: ReadonlySet<TypeName> = new Set<TypeName>([
  ...NUMBERS,
  ...(['text', 'varchar', 'bool', 'date', 'time', 'timestamp', 'timestamptz'] as const),
]);

function isWritable(described: DescribedType, oid: number): boolean {
  const element = ARRAYS.get(oid);
  if (element !== undefined) return described === 'jsonb' && ELEMENTS.has(element);
  const name = typeNamed(oid);
  return name !== undefined && WRITTEN_AS[described].includes(name);
}

/** Whether a column is of numbers of any digits. */
export const isOpenNumeric = ({ typeOid, typeModifier }: ResultColumn): boolean =>
  typeOid === OID.numeric && typeModifier === -1;

/**
 * `theirs`: as PostgreSQL describes the same statement; null where it cannot read it. `modifier`: of numbers that have no other
 * one.
 */
export function announcedColumns(
  described: readonly DescribedColumn[],
  theirs: readonly ResultColumn[] | null,
  modifier = -1,
): readonly ResultColumn[] {
  // A star may have other columns there, or the same in another order.
  const isSame =
    theirs?.length === described.length &&
    described.every(({ name }, i) => cutName(name) === theirs[i]?.name);
  return described.map(({ name, type }, i) => {
    const column = isSame ? theirs[i] : undefined;
    const announced =
      column !== undefined && isWritable(type, column.typeOid)
        ? { ...column, name }
        : { name, typeOid: OID[type], typeModifier: -1 };
    return isOpenNumeric(announced) ? { ...announced, typeModifier: modifier } : announced;
  });
}

/** As many digits behind the point as the type says, and no more before it than there is room for. */
function scaled(write: WriteValue, modifier: number): WriteValue {
  const { precision, scale } = digitsOf(modifier);
  return (token) => {
    const [whole = '', fraction = ''] = plainNumber(token)?.split('.') ?? [];
    const kept = withoutTrailing(fraction, '0');
    const wholeDigits = whole.replace(/^-?0*/, '').length;
    if (whole === '' || kept.length > scale || wholeDigits > precision - scale) throw new MisfitError(token);
    return write(scale === 0 ? whole : `${whole}.${kept.padEnd(scale, '0')}`);
  };
}

/** Spaces up to the length that the type says, in characters. */
const padded =
  (write: WriteValue, modifier: number): WriteValue =>
  (token) => {
    const cell = write(token);
    const missing = modifier - MODIFIER_HEAD - [...String(cell)].length;
    return typeof cell === 'string' && missing > 0 ? cell + ' '.repeat(missing) : cell;
  };

const UTC = /(?:Z|[+-]\d\d(?::?\d\d)?)"$/;

/** A time without a zone, and a date, are of UTC. */
const withZone =
  (write: WriteValue): WriteValue =>
  (token) => {
    const time = /^"[^":]*"$/.test(token) ? `${token.slice(0, -1)} 00:00:00"` : token;
    return write(UTC.test(time) ? time : `${time.slice(0, -1)}+00"`);
  };
const withTime =
  (write: WriteValue): WriteValue =>
  (token) =>
    write(/^"[^":]*"$/.test(token) ? `${token.slice(0, -1)} 00:00:00"` : token);

/** The writer of a column's values in a format: 0 text, 1 binary. `zone`: the session's, in which times with a zone are shown. */
export function columnWriter(
  { typeOid, typeModifier }: ResultColumn,
  format: number,
  zone = 'UTC',
): WriteValue {
  const element = ARRAYS.get(typeOid);
  if (element !== undefined) {
    const write = columnWriter({ name: '', typeOid: OID[element], typeModifier: -1 }, format, zone);
    if (format === 1) return binaryArray(write, OID[element]);
    return textArray(write, element !== 'json' && element !== 'jsonb');
  }
  const type = typeNamed(typeOid) ?? 'text';
  const write = valueWriter(type, format);
  if (type === 'timestamptz') return withZone(format === 0 ? shownIn(zone, write) : write);
  if (type === 'timestamp') return withTime(write);
  if (typeModifier < MODIFIER_HEAD) return write;
  if (type === 'numeric') return scaled(write, typeModifier);
  return type === 'bpchar' ? padded(write, typeModifier) : write;
}
