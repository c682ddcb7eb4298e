import { queryValidation } from '../errors.ts';

/** A parameter that must be there. Throws ValidationError. */
export function requiredParameter(parameters: URLSearchParams, name: string): string {
  const value = parameters.get(name);
  if (value === null)
    throw queryValidation(
      `1 validation error detected: Value null at '${lowerFirst(name)}' failed to satisfy constraint: Member must not be null`,
    );
  return value;
}

/** Refuses a value that does not fit its pattern or length. Throws ValidationError. */
export function checkParameter(name: string, value: string, pattern: RegExp, min: number, max: number): void {
  const failed = (constraint: string) =>
    queryValidation(
      `1 validation error detected: Value '${value}' at '${lowerFirst(name)}' failed to satisfy constraint: ${constraint}`,
    );
  if (value.length < min) throw failed(`Member must have length greater than or equal to ${min}`);
  if (value.length > max) throw failed(`Member must have length less than or equal to ${max}`);
  if (!pattern.test(value))
    throw failed(`Member must satisfy regular expression pattern: ${pattern.source.replace(/^\^|\$$/g, '')}`);
}

/** An integer within bounds; the default when it is absent. Throws ValidationError. */
export function integerParameter(
  parameters: URLSearchParams,
  name: string,
  bounds: { readonly min: number; readonly max: number; readonly default: number },
): number {
  const text = parameters.get(name);
  if (text === null) return bounds.default;
  const failed = (constraint: string) =>
    queryValidation(
      `1 validation error detected: Value '${text}' at '${lowerFirst(name)}' failed to satisfy constraint: ${constraint}`,
    );
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw failed('Member must be an integer');
  if (value < bounds.min) throw failed(`Member must have value greater than or equal to ${bounds.min}`);
  if (value > bounds.max) throw failed(`Member must have value less than or equal to ${bounds.max}`);
  return value;
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
