import { createRequire } from 'node:module';
import type { Manifest } from './render.ts';

const require = createRequire(import.meta.url);

interface Model {
  readonly prototype: { validate(this: unknown): void };
}

/**
 * What is wrong with a manifest by Kubernetes' own OpenAPI schema; nothing where it is valid. Fields that the schema
 * does not know are wrong too: a cluster would drop them without a word.
 */
export function faultsOf(manifest: Manifest): readonly string[] {
  const module = require(`kubernetes-models/${manifest.apiVersion}`) as Readonly<Record<string, Model>>;
  const model = module[manifest.kind];
  if (model === undefined) return [`There is no ${manifest.kind} in ${manifest.apiVersion}`];
  const known = new Set<string>();
  try {
    // The validator looks at every field that it knows, and only at those.
    model.prototype.validate.call(observed(manifest, '', known));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return paths(manifest, '').filter((path) => !known.has(path));
}

/** The same value, which notes each path that is read. */
function observed<T extends object>(value: T, path: string, seen: Set<string>): T {
  return new Proxy(value, {
    get(target, key) {
      const inner: unknown = Reflect.get(target, key);
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return inner;
      seen.add(`${path}/${key}`);
      return typeof inner === 'object' && inner !== null ? observed(inner, `${path}/${key}`, seen) : inner;
    },
  });
}

function paths(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    `${path}/${key}`,
    ...paths(inner, `${path}/${key}`),
  ]);
}
