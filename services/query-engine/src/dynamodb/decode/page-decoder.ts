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
} from './body-members.ts';
import { ColumnSink, finishBatch, sizeAtFirst, type SinkSize } from './column-sink.ts';
import { MalformedBodyError } from './malformed-body.ts';
import { putItems } from './parsed-items.ts';
import { ItemScanner } from './scan-items.ts';
import { wantedAttributes } from './wanted-attributes.ts';

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
}

/** A decoder for the pages of one read; `known`: the attributes that are no discovery, null to look for none. */
export function createPageDecoder(
  columns: readonly { readonly path: readonly DocumentStep[] }[],
  known: readonly string[] | null = null,
): PageDecoder {
  const wanted = wantedAttributes(columns, known);
  const scanner = new ItemScanner(wanted);
  const sizes = columns.map(() => sizeAtFirst);
  const newSinks = () => sizes.map((size) => new ColumnSink(size));

  const finish = (sinks: readonly ColumnSink[], rowCount: number, members: BodyMembers): DecodedPage => {
    const batch = finishBatch(sinks, rowCount);
    for (const [i, { bytes }] of batch.columns.entries()) sizes[i] = sizeAfter(rowCount, bytes.length);
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
  };

  /** Null where the body is not in compact form, or not JSON. */
  function* scan(body: Buffer): Sliced<DecodedPage | null> {
    const sinks = newSinks();
    const members: Record<string, unknown> = {};
    const others: [name: string, start: number, end: number][] = [];
    const seen = new Set<string>();
    scanner.start(sinks);
    const end = yield* visitMembers(body, 0, function* (name, at) {
      if (seen.has(name)) return -1;
      seen.add(name);
      if (name === 'Items') return yield* scanner.scanArray(body, at);
      if (name === 'Item') return scanner.scanItem(body, at);
      if (name === 'Responses')
        return yield* visitMembers(body, at, (_table, items) => scanner.scanArray(body, items));
      const valueEnd = skipJson(body, at);
      others.push([name, at, valueEnd]);
      return valueEnd;
    });
    scanner.end();
    if (end !== body.length) return null;
    try {
      for (const [name, start, valueEnd] of others)
        members[name] = JSON.parse(body.toString('utf8', start, valueEnd));
    } catch {
      return null;
    }
    return finish(sinks, scanner.rowCount, members);
  }

  function* parse(text: string): Sliced<DecodedPage> {
    const body = parseObject(text);
    const sinks = newSinks();
    yield;
    return finish(sinks, yield* putItems(itemsOf(body), sinks, wanted), body);
  }

  function* decodeSliced(body: Buffer): Sliced<DecodedPage> {
    if (!isUtf8(body)) throw new MalformedBodyError('the body is not UTF-8');
    return (yield* scan(body)) ?? (yield* parse(body.toString('utf8')));
  }

  return Object.freeze({
    decode: (body: Buffer) => inOneGo(decodeSliced(body)),
    decodeSliced,
    discovered: () => wanted.discovered(),
  });
}

/** Room for the next page, which is about as large. */
const sizeAfter = (rows: number, bytes: number): SinkSize => ({
  rows: Math.max(rows, sizeAtFirst.rows),
  bytes: Math.max(bytes + (bytes >> 4), sizeAtFirst.bytes),
});

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
