/** Fields of JSON Schema, so that what is described is fuzzed without being named here. */
import type { Random } from '../../chaos/random.ts';
import { nastyText, nastyValue } from './nasty.ts';

/** As far as the descriptions of our own requests go. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

/** A place in a value, and the bounds that the schema has for it. */
export interface Field {
  readonly path: readonly string[];
  readonly bounds: readonly number[];
}

/** Every property, at any level, and the whole. */
export function fieldsOf(schema: JsonSchema, path: readonly string[] = []): readonly Field[] {
  const { minLength, maxLength, minimum, maximum, maxItems } = schema;
  const bounds = [minLength, maxLength, minimum, maximum, maxItems].filter(
    (bound) => bound !== undefined && bound < 100_000,
  ) as number[];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    fieldsOf(property, [...path, name]),
  );
  return [
    { path, bounds },
    ...(schema.anyOf ?? []).flatMap((each) => fieldsOf(each, path).slice(1)),
    ...inner,
  ];
}

/** The value with another one at a place; what is on the way there is made. */
export function withValue(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  const whole = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...whole, [name]: withValue(whole[name], rest, replacement) };
}

/** A good value with one or two of its fields spoiled. */
export function spoiledValue(random: Random, good: unknown, fields: readonly Field[]): unknown {
  let value = good;
  for (let i = 0; i <= random.below(2); i += 1) {
    const { path, bounds } = random.pick(fields);
    value = withValue(value, path, nastyValue(random, bounds));
  }
  // A name that nobody described, too.
  return random.below(8) === 0 ? withValue(value, [nastyText(random)], nastyValue(random)) : value;
}
