/**
 * Decodes the raw bodies of Scan, Query, GetItem and BatchGetItem into columns.
 *
 * DynamoDB's compact form is scanned in one pass that copies out the wanted values. Any other legal JSON (spaces, escaped
 * names, depth) takes the general path through `JSON.parse`; anything else is a MalformedBodyError, never a row. (Only the
 * escapes inside values that nobody asked for go unchecked.)
 */
import { isUtf8 } from 'node:buffer';
import type { DocumentStep } from '../../logical/expression.ts';
import type { ColumnBatch } from '../column-batch.ts';
import { inOneGo, type Sliced } from '../../scheduling/sliced-work.ts';
import { isObject } from './attribute-value.ts';
import {
  countOf,
  halfUnitsOf,
  lastEvaluatedKeyOf,
  skipJson,
  visitMembers,
  type BodyMembers,
  type MemberVisitor,
} from './body-members.ts';
import { ColumnSink, finishBatch, sizeAfter, type SinkSize } from './column-sink.ts';
import { MalformedBodyError } from './malformed-body.ts';
import { putItems } from './parsed-items.ts';
import { ItemScanner } from './scan-items.ts';
import { wantedAttributes, type WantedAttributes } from './wanted-attributes.ts';

export interface DecodedPage {
  readonly batch: ColumnBatch;
  /** In DynamoDB's JSON form, to be sent back as it is; null on the last page. */
  readonly lastEvaluatedKey: Readonly<Record<string, unknown>> | null;
  readonly consumedHalfUnits: number;
  /** Items after the filter; the rows of the batch where the answer gives no count. */
  readonly count: number;
  /** Items before the filter. */
  readonly scannedCount: number;
  /** BatchGetItem's keys that it did not get to, per table, in DynamoDB's JSON form; null where none. */
  readonly unprocessedKeys: Readonly<Record<string, unknown>> | null;
}

export interface PageDecoder {
  /** Throws MalformedBodyError. */
  decode(body: Buffer): DecodedPage;
  /** The same in slices; other bodies may be decoded meanwhile. */
  decodeSliced(body: Buffer): Sliced<DecodedPage>;
  /** Attributes met so far that are not among `known`: types as bits of `1 << TypeCode`. */
  discovered(): ReadonlyMap<string, number>;
  /** How many names of such attributes were met. */
  readonly unknownNames: number;
}

/** A decoder for the pages of one read; `known`: the attributes that are no discovery, null to look for none. */
export function createPageDecoder(
  columns: readonly { readonly path: readonly DocumentStep[] }[],
  known: readonly string[] | null = null,
): PageDecoder {
  return new ColumnDecoder(wantedAttributes(columns, known), columns.length);
}

/** Its generators are methods: V8 makes a closure's generator, and whoever calls it, anew for each read. */
class ColumnDecoder implements PageDecoder {
  private readonly wanted: WantedAttributes;
  private readonly scanner: ItemScanner;
  private readonly sizes: SinkSize[];

  constructor(wanted: WantedAttributes, columns: number) {
    this.wanted = wanted;
    this.scanner = new ItemScanner(wanted);
    this.sizes = Array.from({ length: columns }, () => sizeAfter(0, 0));
  }

  decode(body: Buffer): DecodedPage {
    return inOneGo(this.decodeSliced(body));
  }

  *decodeSliced(body: Buffer): Sliced<DecodedPage> {
    if (!isUtf8(body)) throw new MalformedBodyError('the body is not UTF-8');
    return (yield* this.scan(body)) ?? (yield* this.parse(body.toString('utf8')));
  }

  discovered(): ReadonlyMap<string, number> {
    return this.wanted.discovered();
  }

  get unknownNames(): number {
    return this.wanted.unknownNames();
  }

  /** Null where the body is not in compact form, or not JSON. */
  private *scan(body: Buffer): Sliced<DecodedPage | null> {
    const { scanner } = this;
    const sinks = this.newSinks();
    scanner.start(sinks);
    const scanned = new ScannedMembers(body, scanner);
    const end = yield* visitMembers(body, 0, scanned);
    scanner.end();
    if (end !== body.length) return null;
    const members = scanned.parsed();
    return members === null ? null : this.finish(sinks, scanner.rowCount, members);
  }

  private *parse(text: string): Sliced<DecodedPage> {
    const body = parseObject(text);
    const sinks = this.newSinks();
    yield;
    return this.finish(sinks, yield* putItems(itemsOf(body), sinks, this.wanted), body);
  }

  private newSinks(): readonly ColumnSink[] {
    return this.sizes.map((size) => new ColumnSink(size));
  }

  private finish(sinks: readonly ColumnSink[], rowCount: number, members: BodyMembers): DecodedPage {
    const batch = finishBatch(sinks, rowCount);
    for (const [i, { bytes }] of batch.columns.entries()) this.sizes[i] = sizeAfter(rowCount, bytes.length);
    const count = countOf(members, 'Count') ?? rowCount;
    const unprocessed = members['UnprocessedKeys'];
    return {
      batch,
      lastEvaluatedKey: lastEvaluatedKeyOf(members),
      consumedHalfUnits: halfUnitsOf(members),
      count,
      scannedCount: countOf(members, 'ScannedCount') ?? count,
      unprocessedKeys: isObject(unprocessed) && Object.keys(unprocessed).length > 0 ? unprocessed : null,
    };
  }
}

/** The members of one body: items go to the scanner, the others are kept until the end. */
class ScannedMembers implements MemberVisitor {
  private readonly body: Buffer;
  private readonly scanner: ItemScanner;
  private readonly seen = new Set<string>();
  private readonly others: [name: string, start: number, end: number][] = [];

  constructor(body: Buffer, scanner: ItemScanner) {
    this.body = body;
    this.scanner = scanner;
  }

  *visit(name: string, at: number): Sliced<number> {
    const { body, scanner, seen } = this;
    if (seen.has(name)) return -1;
    seen.add(name);
    if (name === 'Items') return yield* scanner.scanArray(body, at);
    if (name === 'Item') return scanner.scanItem(body, at);
    if (name === 'Responses')
      return yield* visitMembers(body, at, { visit: (_table, items) => scanner.scanArray(body, items) });
    const valueEnd = skipJson(body, at);
    this.others.push([name, at, valueEnd]);
    return valueEnd;
  }

  /** All but the items; null where one is not JSON. */
  parsed(): BodyMembers | null {
    const members: Record<string, unknown> = {};
    try {
      for (const [name, start, end] of this.others)
        members[name] = JSON.parse(this.body.toString('utf8', start, end));
    } catch {
      return null;
    }
    return members;
  }
}

function parseObject(text: string): BodyMembers {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new MalformedBodyError('the body is not JSON');
  }
  if (!isObject(body)) throw new MalformedBodyError('the body is no JSON object');
  return body;
}

function itemsOf(body: BodyMembers): readonly unknown[] {
  const { Items: items, Item: item, Responses: responses } = body;
  if (items !== undefined && items !== null) return arrayOf(items);
  if (item !== undefined && item !== null) return [item];
  if (responses === undefined || responses === null) return [];
  if (!isObject(responses)) throw new MalformedBodyError('Responses is no object');
  return Object.values(responses).flatMap(arrayOf);
}

function arrayOf(items: unknown): readonly unknown[] {
  if (!Array.isArray(items)) throw new MalformedBodyError('items are no array');
  return items;
}
