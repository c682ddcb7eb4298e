import type { Expression } from './expression.ts';
import { scalarNamed } from './functions/list.ts';

/** Whether the node is a call whose value depends on the time of the statement. */
export const isClock = (node: Expression): boolean =>
  node.kind === 'FunctionCall' && scalarNamed(node.name).readsClock === true;
