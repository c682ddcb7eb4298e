/** Lists of a result, JSON tokens as the engine wrote them, as PostgreSQL's arrays. */
import { cellTokens } from '../results/json-rows.ts';
import type { Cell } from '../wire/backend.ts';
import { int32 } from '../wire/fields-out.ts';
import { MisfitError, type WriteValue } from './misfit.ts';

/** An element is in quotes where it would be read as something else: "Array Input and Output Syntax". */
const BARE = /^[^\s{}",\\]+$/;
const quoted = (text: string): string =>
  BARE.test(text) && text.toUpperCase() !== 'NULL' ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;

const isList = (token: string): boolean => token.startsWith('[');

function elementsOf(token: string): readonly string[] {
  if (!isList(token)) throw new MisfitError(token);
  return cellTokens(token);
}

const asBuffer = (cell: Cell): Buffer | null => (typeof cell === 'string' ? Buffer.from(cell) : cell);

/** `nests`: whether a list within a list is another dimension, which of documents it is not. */
export function textArray(write: WriteValue, nests: boolean): WriteValue {
  const written = (token: string): string => {
    const elements = elementsOf(token).map((element) => {
      if (element === 'null') return 'NULL';
      if (nests && isList(element)) return written(element);
      return quoted(String(write(element)));
    });
    return `{${elements.join(',')}}`;
  };
  return written;
}

/** One dimension: PostgreSQL, src/backend/utils/adt/arrayfuncs.c, array_send. */
export function binaryArray(write: WriteValue, elementOid: number): WriteValue {
  return (token) => {
    const elements = elementsOf(token).map((element) =>
      element === 'null' ? null : asBuffer(write(element)),
    );
    const dimensions = elements.length === 0 ? [] : [int32(elements.length), int32(1)];
    return Buffer.concat([
      ...[int32(dimensions.length === 0 ? 0 : 1), int32(elements.includes(null) ? 1 : 0), int32(elementOid)],
      ...dimensions,
      ...elements.flatMap((element) => (element === null ? [int32(-1)] : [int32(element.length), element])),
    ]);
  };
}
