import { readFile } from 'node:fs/promises';
import { parse, type ScalarTag } from 'yaml';

/** What stands for a value that is left out (`AWS::NoValue`). */
const NO_VALUE = Symbol('AWS::NoValue');

/** Values of parameters and of pseudo parameters, for example `{ TableArns: […], 'AWS::AccountId': '…' }`. */
export type Values = Readonly<Record<string, string | readonly string[]>>;

export interface Template {
  readonly Parameters: Readonly<Record<string, { readonly Default?: string; readonly Type: string }>>;
  readonly Conditions: Readonly<Record<string, unknown>>;
  readonly Rules: Readonly<Record<string, { readonly Assertions: readonly { readonly Assert: unknown }[] }>>;
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties: unknown }>>;
}

const SHORT_FORMS = ['Ref', 'Sub', 'Join', 'Split', 'If', 'Equals', 'Not', 'GetAtt'] as const;

/** Reads a template; short forms (`!Ref x`) become their long ones (`{ Ref: x }`). */
export async function readTemplate(path: URL): Promise<Template> {
  const customTags = SHORT_FORMS.flatMap((name) => {
    const key = name === 'Ref' ? name : `Fn::${name}`;
    const scalar: ScalarTag = { tag: `!${name}`, resolve: (text) => ({ [key]: text }) };
    const sequence = {
      tag: `!${name}`,
      collection: 'seq' as const,
      resolve: (items: { toJSON(): unknown }) => ({ [key]: items.toJSON() }),
    };
    return [scalar, sequence];
  });
  return parse(await readFile(path, 'utf8'), { customTags }) as Template;
}

/**
 * Works out the intrinsic functions of a resource's properties ("Intrinsic function reference"), as far as our template
 * uses them; throws where it meets another.
 */
export function resourceProperties(template: Template, resource: string, given: Values): unknown {
  const values: Values = { ...defaults(template), ...given };
  const conditions = Object.fromEntries(
    Object.entries(template.Conditions).map(([name, condition]) => [name, resolve(condition, values, {})]),
  );
  return resolve(template.Resources[resource]?.Properties, values, conditions);
}

/** Whether the values pass the template's rules. */
export function passesRules(template: Template, given: Values): boolean {
  const values: Values = { ...defaults(template), ...given };
  return Object.values(template.Rules).every(({ Assertions }) =>
    Assertions.every(({ Assert }) => resolve(Assert, values, {}) === true),
  );
}

function defaults({ Parameters }: Template): Values {
  return Object.fromEntries(
    Object.entries(Parameters).flatMap(([name, { Default, Type }]) =>
      Default === undefined ? [] : [[name, Type === 'CommaDelimitedList' ? Default.split(',') : Default]],
    ),
  );
}

function resolve(node: unknown, values: Values, conditions: Readonly<Record<string, unknown>>): unknown {
  const inner = (part: unknown) => resolve(part, values, conditions);
  if (Array.isArray(node)) return node.map(inner).filter((item) => item !== NO_VALUE);
  if (typeof node !== 'object' || node === null) return node;
  const [[key, argument] = ['', null], ...others] = Object.entries(node) as [string, unknown][];
  if (others.length === 0 && (key === 'Ref' || key.startsWith('Fn::')))
    return call(key, argument, inner, values, conditions);
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inner(value)]));
}

function call(
  name: string,
  argument: unknown,
  inner: (part: unknown) => unknown,
  values: Values,
  conditions: Readonly<Record<string, unknown>>,
): unknown {
  const parts = Array.isArray(argument) ? argument : [argument];
  switch (name) {
    case 'Ref':
      return argument === 'AWS::NoValue' ? NO_VALUE : value(values, String(argument));
    case 'Fn::Join':
      return (inner(parts[1]) as string[]).join(String(parts[0]));
    case 'Fn::Split':
      return String(inner(parts[1])).split(String(parts[0]));
    case 'Fn::Equals':
      return inner(parts[0]) === inner(parts[1]);
    case 'Fn::Not':
      return inner(parts[0]) !== true;
    case 'Fn::Or':
      return parts.some((part) => inner(part) === true);
    case 'Fn::EachMemberEquals':
      return (inner(parts[0]) as string[]).every((member) => member === parts[1]);
    case 'Fn::If':
      return inner(conditions[String(parts[0])] === true ? parts[1] : parts[2]);
    case 'Fn::Sub': {
      const own = { ...values, ...(inner(parts[1] ?? {}) as Values) };
      return String(parts[0]).replaceAll(/\$\{([^}]+)\}/g, (_, key: string) => String(value(own, key)));
    }
    default:
      throw new Error(`${name} is not known here`);
  }
}

function value(values: Values, name: string): string | readonly string[] {
  const found = values[name];
  if (found === undefined) throw new Error(`The template names ${name}, which has no value`);
  return found;
}
