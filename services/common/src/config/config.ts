import type { z } from 'zod';

/** A setting is missing or wrong. The process should say so and end. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the variables that the schema names; an empty one counts as absent. Read once, at the start.
 *
 * @throws ConfigError naming every variable that is wrong and why, never its value
 */
export function readConfig<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<z.output<S>> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) =>
      env[name] === undefined || env[name] === '' ? [] : [[name, env[name]]],
    ),
  );
  const result = schema.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  const lines = result.error.issues.map(({ path, message }) => {
    const name = String(path[0] ?? 'configuration');
    return given[name] === undefined && name in schema.shape ? `${name} must be set` : `${name}: ${message}`;
  });
  throw new ConfigError(lines.join('; '));
}
