import { SqlRules as Wire } from '@penstock/common/gen/penstock/query/v1/rules_pb.js';
import type { SqlRules } from '../catalog/description.ts';

/** The rules that a request names; undefined where they are ours. */
export const rulesOf = ({
  rules,
  database,
  timeZone = '',
}: {
  readonly rules: Wire;
  readonly database: string;
  readonly timeZone?: string;
}): SqlRules | undefined =>
  rules === Wire.POSTGRESQL
    ? {
        engine: 'postgresql',
        ...(database === '' ? {} : { database }),
        ...(timeZone === '' ? {} : { timeZone }),
      }
    : undefined;
