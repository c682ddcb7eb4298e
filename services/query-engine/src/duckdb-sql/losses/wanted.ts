/** What an expression is wanted as where another kind of value is taken for NULL. */
import type { ArgumentKind } from '../../logical/functions/definition.ts';
import { documentText } from '../json.ts';
import { toBoolean, toNumber, toTemporal } from '../types/convert.ts';
import type { Typed } from '../types/sql-type.ts';

export type Wanted = 'number' | 'instant' | 'interval' | 'condition' | 'document' | 'list' | 'textOrList';

export const WANTED: Readonly<Record<ArgumentKind, Wanted | null>> = Object.freeze({
  any: null,
  text: null,
  characters: null,
  step: null,
  number: 'number',
  steps: 'number',
  double: 'number',
  whole: 'number',
  short: 'number',
  instant: 'instant',
  interval: 'interval',
  condition: 'condition',
  document: 'document',
  list: 'list',
  textOrList: 'textOrList',
});

interface Rule {
  /** What comes of a value: NULL where it is of another kind. Null: none of the type's values is. */
  readonly converted: (value: Typed) => string | null;
  /** After `50 values of v are`, and after `1 value of v is`. */
  readonly many: string;
  readonly one: string;
}

const isOpen = ({ type }: Typed): boolean =>
  type.kind === 'text' || (type.kind === 'mixed' && !type.onlyNumbers);
const ofOpen =
  (converted: (value: Typed) => string) =>
  (value: Typed): string | null =>
    isOpen(value) ? converted(value) : null;

/** Text that is no JSON at all: what reads it is strict about the rest. */
const documentOrNull = (value: Typed): string =>
  value.type.kind === 'text' ? `CASE WHEN json_valid(${value.sql}) THEN 1 END` : documentText(value);

const listText = (value: Typed): string => {
  const text = documentText(value);
  return `CASE WHEN json_type(${text}) = 'ARRAY' THEN ${text} END`;
};

/** A mixed value that is no map. */
const partsText = (value: Typed): string => {
  const text = documentText(value);
  return `CASE WHEN json_type(${text}) = 'OBJECT' THEN NULL ELSE 1 END`;
};

export const WANTED_RULES: Readonly<Record<Wanted, Rule>> = Object.freeze({
  number: { converted: ofOpen((value) => toNumber(value).sql), many: 'no numbers', one: 'no number' },
  instant: {
    converted: ofOpen((value) => toTemporal(value, 'TIMESTAMP')),
    many: 'no dates or times',
    one: 'no date or time',
  },
  interval: {
    converted: ofOpen((value) => toTemporal(value, 'INTERVAL')),
    many: 'no intervals',
    one: 'no interval',
  },
  condition: {
    converted: ofOpen((value) => toBoolean(value).sql),
    many: 'neither true nor false',
    one: 'neither true nor false',
  },
  document: { converted: ofOpen(documentOrNull), many: 'no maps or lists', one: 'no map or list' },
  list: {
    converted: (value) => (isOpen(value) || value.type.kind === 'json' ? listText(value) : null),
    many: 'no lists or sets',
    one: 'no list or set',
  },
  textOrList: {
    converted: (value) =>
      value.type.kind === 'json' || value.type.kind === 'mixed' ? partsText(value) : null,
    many: 'maps, which have no elements',
    one: 'a map, which has no elements',
  },
});
