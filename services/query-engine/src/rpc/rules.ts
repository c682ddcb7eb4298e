import { SqlRules as Wire } from '@penstock/common/gen/penstock/query/v1/rules_pb.js';
import type { SqlRules } from '../catalog/description.ts';

/** The field of a request that says by whose rules a statement is read; none where that is by ours. */
export const rulesOf = (rules: Wire): { readonly rules?: SqlRules } =>
  rules === Wire.POSTGRESQL ? { rules: 'postgresql' } : {};
