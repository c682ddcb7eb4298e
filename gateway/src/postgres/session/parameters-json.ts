/** Values of a statement's parameters, as the engine takes them. */
import { PgError } from '../errors/pg-error.ts';
import { PARAMETERS_JSON_BYTES_MAX } from '../limits.ts';
import { parameterJson } from '../types/read-value.ts';
import type { Bound } from './rows.ts';
import type { DescribedSelect } from './described.ts';

/** @throws PgError 22P02 where one is no value of its type, 54000 where they are too long together */
export function parametersJson(
  { parameterOids, castToBytes }: DescribedSelect,
  { values, formats }: Bound,
): string {
  if (values.length === 0) return '';
  const tokens = values.map((value, i) => {
    const oid = parameterOids[i] ?? 0;
    const bytesOid = castToBytes.get(i);
    // A text is the same in both formats, which the bytes that it stands for are not.
    return bytesOid === undefined
      ? parameterJson(oid, value, formats[i] ?? 0)
      : parameterJson(bytesOid, value, 0);
  });
  const json = `[${tokens.join(',')}]`;
  if (Buffer.byteLength(json) <= PARAMETERS_JSON_BYTES_MAX) return json;
  throw new PgError({
    code: '54000',
    message: `the parameters of a statement have at most ${PARAMETERS_JSON_BYTES_MAX} bytes together`,
  });
}
