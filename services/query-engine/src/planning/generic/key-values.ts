/**
 * Values in a statement's text that may be keys, as if they were parameters: people write `WHERE id = 'x'` more often than
 * `WHERE id = ?`.
 */
import type { Parameters } from '../../binder/parameters.ts';
import type { LiteralValue } from '../../logical/expression.ts';
import type { AstQuery } from '../../parser/ast.ts';
import { treeWithParameters, type Fingerprint } from '../../parser/fingerprint.ts';
import { comparedWithColumns, parametersAsKeys, type KeyParameter } from './parameters-as-keys.ts';

/** Where statements of a fingerprint have them. */
export interface KeyPlaces {
  /** Which of its values these are. */
  readonly places: readonly number[];
  /** What each of them, as a parameter, is compared with. */
  readonly keys: readonly KeyParameter[];
}

/** Those of a statement. */
export interface KeyValues {
  /** Equal for statements that differ in these values only, each of them as long as the other's. */
  readonly key: string;
  readonly keys: readonly KeyParameter[];
  readonly parameters: Parameters;
}

/** The places of values that may be keys, as all else is apart from them; null where there are none. */
export function keyPlacesOf(example: AstQuery, { values }: Fingerprint): KeyPlaces | null {
  const all = treeWithParameters(example, [...values.keys()]);
  const places = comparedWithColumns(all).map(({ parameter }) => Number(parameter));
  const keys = parametersAsKeys(treeWithParameters(example, places));
  return keys === null ? null : { places, keys };
}

/** What a value that was taken out of a statement stands for. */
function literalOf(text: string): LiteralValue {
  return text.startsWith("'") ? { type: 'text', value: text.slice(1, -1) } : { type: 'number', text };
}

/** The values of a statement in these places. */
export function keyValuesOf({ key, values }: Fingerprint, keyPlaces: KeyPlaces | null): KeyValues | null {
  if (keyPlaces === null) return null;
  const { places, keys } = keyPlaces;
  // Where values are as long as another statement's, all that follows them has the same place in the text.
  const apart = values.map(({ text }, place) => (places.includes(place) ? text.length : text));
  const inPlaces = places.map((place) => literalOf(values[place]?.text ?? ''));
  return {
    key: JSON.stringify([key, apart]),
    keys,
    parameters: { kind: 'Positional', values: inPlaces },
  };
}
