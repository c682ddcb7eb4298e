import { TYPE } from '../system/types.ts';
import { isInteger } from '../binder/type-facts.ts';
import { argument, raise, type Call, type Implementations } from './call.ts';

const rounded = (name: string) => (call: Call) =>
  call.args.length > 1
    ? `${name}(${argument(call, 0)}, ${argument(call, 1)})`
    : `CAST(${name}(${argument(call, 0)}) AS ${call.result === TYPE.float8 ? 'DOUBLE' : 'HUGEINT'})`;

export const NUMBER_FUNCTIONS: Implementations = {
  abs: 'abs($1)',
  sign: 'sign($1)',
  ceil: rounded('ceil'),
  ceiling: rounded('ceil'),
  floor: rounded('floor'),
  round: rounded('round'),
  trunc: (call) =>
    call.args.length > 1
      ? `round(${argument(call, 0)} - sign(${argument(call, 0)}) * 0.5 / power(10, ${argument(call, 1)}), ${argument(call, 1)})`
      : rounded('trunc')(call),
  sqrt: 'sqrt($1)',
  exp: 'exp($1)',
  ln: 'ln($1)',
  log: 'log10($1)',
  power: 'power($1, $2)',
  pow: 'power($1, $2)',
  mod: (call) =>
    `CASE WHEN ${argument(call, 1)} = 0 THEN ${raise('22012', 'division by zero')} ELSE ${argument(call, 0)} % ${argument(call, 1)} END`,
  random: 'random()',
  pi: 'pi()',
  hashtext: 'CAST(hash($1) % 2147483647 AS INTEGER)',
  to_hex: 'lower(to_hex($1))',
  int4: (call) => asInteger(call, 'INTEGER'),
  int8: (call) => asInteger(call, 'BIGINT'),
  int2: (call) => asInteger(call, 'SMALLINT'),
  float8: 'CAST($1 AS DOUBLE)',
  oid: (call) => asInteger(call, 'BIGINT'),
};

function asInteger(call: Call, type: string): string {
  return isInteger(call.args[0]?.type ?? 0)
    ? `CAST(${argument(call, 0)} AS ${type})`
    : `CAST(round(${argument(call, 0)}) AS ${type})`;
}
