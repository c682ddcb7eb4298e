/**
 * Columns that a stream of rows gets on its way: a row that has them is longer than those before it. Each is told by the first
 * row that has it, in a document of what no column is for.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { BINDER_LIMITS } from '../../../binder/limits.ts';
import { skipJson } from '../../../dynamodb/decode/body-members.ts';
import { typeLabel, BOOLEAN, JSON_TYPE, TEXT, type SqlType } from '../../../duckdb-sql/types/sql-type.ts';
import { parseDecimal } from '../../../dynamodb/decimal.ts';
import { numberType } from '../../loading/expected-types.ts';
import type { RowFormat } from '../row-format.ts';
import { putText, type ByteSink } from './byte-sink.ts';
import type { CellWriter } from './row-piece.ts';

export interface LateColumn {
  readonly name: string;
  /** By its first value. */
  readonly type: string;
}

interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** The members of a document in its compact form. */
function* membersOf(document: Buffer): Generator<Member> {
  for (let at = 1; document[at] !== CLOSING_BRACE;) {
    const colon = skipJson(document, at);
    const end = skipJson(document, colon + 1);
    if (colon < 0 || end < 0) throw new Error('a document is not in its compact form');
    yield { name: String(JSON.parse(document.toString('utf8', at, colon))), start: colon + 1, end };
    at = document[end] === CLOSING_BRACE ? end : end + 1;
  }
}

function typeOf(json: string): SqlType {
  if (json.startsWith('"') || json === 'null') return TEXT;
  if (json === 'true' || json === 'false') return BOOLEAN;
  if (json.startsWith('{') || json.startsWith('[')) return JSON_TYPE;
  const { digits, exponent } = parseDecimal(json) ?? { digits: '', exponent: 0 };
  return numberType({
    integerDigits: Math.max(1, exponent),
    scale: Math.max(0, digits.length - exponent),
  });
}

const tooMany = (name: string): PenstockError =>
  new PenstockError('INVALID_QUERY', `More than ${BINDER_LIMITS.outputColumnsMax} columns in one SELECT`, {
    detail: `${name} is the first beyond them: name the columns that you need`,
  });

export interface LateColumns {
  /** In the order in which they came. */
  readonly columns: readonly LateColumn[];
  /** Adds what the row has of them. */
  write(sink: ByteSink, documents: readonly CellWriter[], row: number): void;
}

/** `names`: those of the columns that all rows have. */
export const lateColumns = (format: RowFormat, names: readonly string[]): LateColumns =>
  new ColumnsOnTheWay(format, names);

class ColumnsOnTheWay implements LateColumns {
  readonly columns: LateColumn[] = [];
  /** By document and name: their places among the late ones. */
  private readonly places = new Map<string, number>();
  private readonly taken: Set<string>;
  private readonly format: RowFormat;
  private readonly before: number;
  private readonly scratch: ByteSink = { bytes: Buffer.alloc(0), length: 0, room: 64, roomOfMany: 4096 };

  constructor(format: RowFormat, names: readonly string[]) {
    this.format = format;
    this.before = names.length;
    this.taken = new Set(names);
  }

  write(sink: ByteSink, documents: readonly CellWriter[], row: number): void {
    const values: (string | undefined)[] = [];
    for (const [i, write] of documents.entries()) {
      const { scratch } = this;
      scratch.length = 0;
      write(scratch, row);
      if (scratch.bytes[0] !== OPENING_BRACE) continue;
      const document = scratch.bytes.subarray(0, scratch.length);
      for (const { name, start, end } of membersOf(document)) {
        const json = document.toString('utf8', start, end);
        values[this.placeOf(i, name, json)] = json;
      }
    }
    for (let place = 0; place < values.length; place++) {
      const json = values[place];
      if (this.format === 'array') putText(sink, `,${json ?? 'null'}`);
      else if (json !== undefined) putText(sink, `,${JSON.stringify(this.columns[place]?.name)}:${json}`);
    }
  }

  private placeOf(document: number, name: string, json: string): number {
    const key = `${document} ${name}`;
    const known = this.places.get(key);
    if (known !== undefined) return known;
    if (this.before + this.columns.length >= BINDER_LIMITS.outputColumnsMax) throw tooMany(name);
    let unique = name;
    if (this.format === 'object') for (let n = 2; this.taken.has(unique); n++) unique = `${name}_${n}`;
    this.taken.add(unique);
    this.places.set(key, this.columns.length);
    return this.columns.push({ name: unique, type: typeLabel(typeOf(json)) }) - 1;
  }
}
