/** How PostgreSQL names a column of a result that the statement gives no name. */
import type { Node } from 'libpg-query';
import { namesOf } from './node-names.ts';

const VALUE_FUNCTIONS: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_DATE: 'current_date',
  SVFOP_CURRENT_TIME: 'current_time',
  SVFOP_CURRENT_TIME_N: 'current_time',
  SVFOP_CURRENT_TIMESTAMP: 'current_timestamp',
  SVFOP_CURRENT_TIMESTAMP_N: 'current_timestamp',
  SVFOP_LOCALTIME: 'localtime',
  SVFOP_LOCALTIME_N: 'localtime',
  SVFOP_LOCALTIMESTAMP: 'localtimestamp',
  SVFOP_LOCALTIMESTAMP_N: 'localtimestamp',
  SVFOP_CURRENT_ROLE: 'current_role',
  SVFOP_CURRENT_USER: 'current_user',
  SVFOP_USER: 'user',
  SVFOP_SESSION_USER: 'session_user',
  SVFOP_CURRENT_CATALOG: 'current_catalog',
  SVFOP_CURRENT_SCHEMA: 'current_schema',
};

/** `strong`: a name that wins over that of a cast's type. */
interface Figured {
  readonly name: string;
  readonly strong: boolean;
}

function figure(node: Node | undefined): Figured | null {
  if (node === undefined) return null;
  const strong = (name: string | undefined): Figured | null =>
    name === undefined ? null : { name, strong: true };
  if ('ColumnRef' in node) return strong(namesOf(node.ColumnRef.fields).at(-1));
  if ('A_Indirection' in node) {
    const name = namesOf(node.A_Indirection.indirection).at(-1);
    return name === undefined ? figure(node.A_Indirection.arg) : strong(name);
  }
  if ('FuncCall' in node) return strong(namesOf(node.FuncCall.funcname).at(-1));
  if ('A_Expr' in node) return node.A_Expr.kind === 'AEXPR_NULLIF' ? strong('nullif') : null;
  if ('CollateClause' in node) return figure(node.CollateClause.arg);
  if ('TypeCast' in node) {
    const inner = figure(node.TypeCast.arg);
    if (inner?.strong === true) return inner;
    const type = namesOf(node.TypeCast.typeName?.names).at(-1);
    return type === undefined ? inner : { name: type, strong: false };
  }
  if ('CaseExpr' in node) {
    const inner = figure(node.CaseExpr.defresult);
    return inner?.strong === true ? inner : { name: 'case', strong: false };
  }
  if ('CoalesceExpr' in node) return strong('coalesce');
  if ('MinMaxExpr' in node) return strong(node.MinMaxExpr.op === 'IS_GREATEST' ? 'greatest' : 'least');
  if ('A_ArrayExpr' in node) return strong('array');
  if ('RowExpr' in node) return strong('row');
  if ('SQLValueFunction' in node) return strong(VALUE_FUNCTIONS[node.SQLValueFunction.op ?? '']);
  if ('GroupingFunc' in node) return strong('grouping');
  if ('SubLink' in node) return figureSubquery(node.SubLink.subLinkType, node.SubLink.subselect);
  return null;
}

function figureSubquery(kind: string | undefined, subselect: Node | undefined): Figured | null {
  if (kind === 'EXISTS_SUBLINK') return { name: 'exists', strong: true };
  if (kind === 'ARRAY_SUBLINK') return { name: 'array', strong: true };
  if (kind !== 'EXPR_SUBLINK' || subselect === undefined || !('SelectStmt' in subselect)) return null;
  const [target] = subselect.SelectStmt.targetList ?? [];
  if (target === undefined || !('ResTarget' in target)) return null;
  const { name, val } = target.ResTarget;
  return name === undefined ? figure(val) : { name, strong: true };
}

export const outputName = (node: Node | undefined): string => figure(node)?.name ?? '?column?';
