import { isNode, type DuckDbNode, type DuckDbTree } from './tree.ts';

const BARE_FUNCTIONS = new Set([
  'current_date',
  'current_time',
  'current_timestamp',
  'localtime',
  'localtimestamp',
]);

/**
 * A node in the one form of what may be written in several ways. The nodes below it stay as they are, but where the
 * form depends on them.
 */
export const spelledAlike = (node: DuckDbNode): DuckDbNode =>
  rules.reduce<DuckDbNode>((current, rule) => rule(current), node);

/** A list without the modifiers that limit nothing. */
export const withoutNoLimits = (list: readonly DuckDbTree[]): readonly DuckDbTree[] =>
  list.some(isNoLimit) ? list.filter((part) => !isNoLimit(part)) : list;

const rules: readonly ((node: DuckDbNode) => DuckDbNode)[] = [
  ascending,
  withoutMainSchema,
  withoutNullLimit,
  arrayAsFunction,
  fieldAsPath,
  bareFunction,
  substringLength,
  datePart,
  typeName,
];

/** ASC is the default. */
function ascending(node: DuckDbNode): DuckDbNode {
  return node['type'] === 'ORDER_DEFAULT' ? { ...node, type: 'ASCENDING' } : node;
}

/** Special forms (TRIM, EXTRACT) name the schema of their function; plain calls do not. */
function withoutMainSchema(node: DuckDbNode): DuckDbNode {
  return node['class'] === 'FUNCTION' && node['schema'] === 'main' ? { ...node, schema: '' } : node;
}

/** LIMIT ALL is no limit. */
function withoutNullLimit(node: DuckDbNode): DuckDbNode {
  if (node['type'] !== 'LIMIT_MODIFIER' || !isNode(node['limit'])) return node;
  const { value } = node['limit'];
  const unlimited = node['limit']['class'] === 'CONSTANT' && isNode(value) && value['is_null'] === true;
  return unlimited ? { ...node, limit: null } : node;
}

function isNoLimit(tree: DuckDbTree): boolean {
  if (!isNode(tree) || tree['type'] !== 'LIMIT_MODIFIER') return false;
  const { limit, offset } = withoutNullLimit(tree);
  return limit === null && offset === null;
}

/** `ARRAY[…]` is `[…]`, which DuckDB reads as a call. */
function arrayAsFunction(node: DuckDbNode): DuckDbNode {
  if (node['type'] !== 'ARRAY_CONSTRUCTOR') return node;
  return {
    class: 'FUNCTION',
    type: 'LIST_VALUE',
    alias: node['alias'] ?? '',
    children: node['children'] ?? [],
  };
}

/** `a['b']`, `(a).b` and `a.b` all select by name. */
function fieldAsPath(node: DuckDbNode): DuckDbNode {
  if (node['class'] === 'FUNCTION' && node['function_name'] === 'list_value') {
    return {
      class: 'FUNCTION',
      type: 'LIST_VALUE',
      alias: node['alias'] ?? '',
      children: node['children'] ?? [],
    };
  }
  if (node['type'] !== 'ARRAY_EXTRACT' && node['type'] !== 'STRUCT_EXTRACT') return node;
  const [operand, field] = node['children'] as readonly DuckDbTree[];
  const name = stringConstant(field);
  if (name === undefined || !isNode(operand)) return node;
  const from = spelledAlike(operand);
  if (from['type'] !== 'COLUMN_REF') return { ...node, type: 'STRUCT_EXTRACT' };
  const names = [...(from['column_names'] as readonly DuckDbTree[]), name];
  return { ...from, column_names: names, alias: node['alias'] ?? '' };
}

function stringConstant(tree: DuckDbTree | undefined): string | undefined {
  if (!isNode(tree) || tree['class'] !== 'CONSTANT' || !isNode(tree['value'])) return undefined;
  const { value, type } = tree['value'];
  return typeof value === 'string' && isNode(type) && type['id'] === 'VARCHAR' ? value : undefined;
}

/** `CURRENT_DATE` is read as a column, `current_date()` as a call. */
function bareFunction(node: DuckDbNode): DuckDbNode {
  const name = node['function_name'];
  const bare =
    typeof name === 'string' &&
    BARE_FUNCTIONS.has(name) &&
    (node['children'] as readonly unknown[]).length === 0;
  if (!bare) return node['type'] === 'COLUMN_REF' ? lowerBareName(node) : node;
  return { class: 'COLUMN_REF', type: 'COLUMN_REF', alias: node['alias'] ?? '', column_names: [name] };
}

function lowerBareName(node: DuckDbNode): DuckDbNode {
  const [name, ...others] = node['column_names'] as readonly string[];
  const bare = name !== undefined && others.length === 0 && BARE_FUNCTIONS.has(name.toLowerCase());
  return bare ? { ...node, column_names: [name.toLowerCase()] } : node;
}

/** `SUBSTRING(x FOR n)` casts n to INTEGER, the call with commas does not. */
function substringLength(node: DuckDbNode): DuckDbNode {
  if (node['function_name'] !== 'substring') return node;
  const children = node['children'] as readonly DuckDbTree[];
  const length = children[2];
  const isCast = isNode(length) && length['class'] === 'CAST' && isNode(length['cast_type']);
  if (!isCast || (length['cast_type'] as DuckDbNode)['id'] !== 'INTEGER') return node;
  return { ...node, children: [children[0] ?? null, children[1] ?? null, length['child'] ?? null] };
}

/** The field of EXTRACT is the same in any case. */
function datePart(node: DuckDbNode): DuckDbNode {
  if (node['function_name'] !== 'date_part') return node;
  const [field, ...others] = node['children'] as readonly DuckDbTree[];
  const name = stringConstant(field);
  if (name === undefined || !isNode(field)) return node;
  const value = { ...(field['value'] as DuckDbNode), value: name.toLowerCase() };
  return { ...node, children: [{ ...field, value }, ...others] };
}

/** The names of types that DuckDB does not know keep their case in its tree; we write all types in upper case. */
function typeName(node: DuckDbNode): DuckDbNode {
  const isType = node['type'] === 'UNBOUND_TYPE_INFO' && typeof node['name'] === 'string';
  return isType ? { ...node, name: (node['name'] as string).toLowerCase() } : node;
}
