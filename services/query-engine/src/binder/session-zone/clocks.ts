/** What clocks in a session's zone show, and when they showed it: the two ways between times with a zone and those without. */
import type { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { castTo, functionCall, literal } from '../../logical/build-expression.ts';
import type { Expression } from '../../logical/expression.ts';
import { namesZone } from '../check-constants.ts';
import { statementError } from '../errors.ts';
import { isText, lacksOffset } from './constants.ts';
import { commonKind, timeKinds, type ColumnKinds, type TimeKind } from './time-kind.ts';

export interface Clocks {
  readonly kind: (node: Expression) => TimeKind;
  /** A time with a zone as what clocks show then. */
  readonly shown: (node: Expression) => Expression;
  /** A time without a zone, or the text of one, as when clocks show it. */
  readonly when: (node: Expression) => Expression;
  /** Values that come together: where one of them is a time with a zone, all times are. */
  readonly alike: (nodes: readonly Expression[]) => readonly Expression[];
  /** The error that something is not done in a zone other than UTC. */
  readonly refused: (node: Expression, what: string, hint?: string) => PenstockError;
}

const ADVICE = 'compute it of x AT TIME ZONE with a zone, which gives a time without one';

/** A time with a zone, whatever the engine has it as. */
export const asInstant = (node: Expression): Expression =>
  node.kind === 'Cast' && node.sqlType === 'TIMESTAMPTZ' ? node : castTo(node, 'TIMESTAMPTZ', node.pos);

const withoutZone = (node: Expression): Expression =>
  node.kind === 'Cast' && node.sqlType === 'TIMESTAMP' ? node : castTo(node, 'TIMESTAMP', node.pos);

export function clocksIn(zone: string, columns: ColumnKinds, sql: string): Clocks {
  const kind = timeKinds(columns);
  const refused: Clocks['refused'] = (node, what, hint = ADVICE) =>
    statementError(
      'UNSUPPORTED_SQL',
      `${what} is not supported where the session's TimeZone is not UTC, and this is ${zone}`,
      { sql, pos: node.pos },
      hint,
    );
  const isKnown = namesZone(zone);
  const inZone = (node: Expression): Expression => {
    if (!isKnown) throw refused(node, 'What clocks show', "SET TimeZone to a name such as 'Europe/Paris'");
    return functionCall('TIMEZONE', [literal({ type: 'text', value: zone }, node.pos), node], node.pos);
  };
  const shown = (node: Expression): Expression => inZone(asInstant(node));
  const when = (node: Expression): Expression => inZone(withoutZone(node));
  return {
    ...{ kind, shown, when },
    alike(nodes) {
      if (commonKind(nodes.map(kind)) !== 'zoned') return nodes;
      return nodes.map((node) => {
        if (kind(node) === 'local' || lacksOffset(node)) return when(node);
        return isText(node) ? asInstant(node) : node;
      });
    },
    refused,
  };
}
