/** Every operation of the OpenAPI document: its path, its parameters and the fields of its body. */
import type { Random } from '../../chaos/random.ts';
import { openApiDocument } from '../../../src/openapi/document.ts';
import { nastyText } from '../support/nasty.ts';
import { fieldsOf, spoiledValue, type Field, type JsonSchema } from '../support/shapes.ts';
import { bodyBytes } from './bodies.ts';
import { spoiledHeaders } from './headers.ts';
import type { Target } from './target.ts';

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: Reference; example: unknown }>>;
  };
}
interface Reference {
  readonly $ref: string;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** As long as a URL may be together with its headers. */
const PARAMETER_CHARS_MAX = 9_000;

const encoded = (random: Random): string => {
  const text = nastyText(random).toWellFormed();
  return (
    random.below(6) === 0 ? random.pick(['%ff', '%c3%28', '%', '%00', '..%2f']) : encodeURIComponent(text)
  ).slice(0, PARAMETER_CHARS_MAX);
};

/** @param schemaName one that the tenant has, which is never deleted */
export function restTargets(token: string, schemaName: string): readonly Target[] {
  const { paths, components } = openApiDocument('http://localhost') as Document;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { parameters = [], requestBody }]): Target => {
      const body = requestBody?.content['application/json'];
      const name = body?.schema.$ref.split('/').at(-1) ?? '';
      const fields: readonly Field[] = fieldsOf(components.schemas[name] ?? {});
      const inQuery = parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => parameter.name);
      return {
        name: `${method.toUpperCase()} ${path}`,
        next: (random) => {
          const keep = method !== 'delete' && random.below(2) === 0;
          const filled = path.replace(/\{\w+\}/g, () => (keep ? schemaName : encoded(random)));
          const query = inQuery
            .filter(() => random.below(2) === 0)
            .map((each) => `${each}=${encoded(random)}`);
          const more = random.below(8) === 0 ? [`${encoded(random)}=${encoded(random)}`] : [];
          const all = [...query, ...more].join('&');
          return {
            method: method.toUpperCase(),
            path: all === '' ? filled : `${filled}?${all}`,
            headers: spoiledHeaders(random, headers),
            ...(body === undefined
              ? {}
              : { body: bodyBytes(random, spoiledValue(random, body.example, fields)) }),
          };
        },
      };
    }),
  );
}
