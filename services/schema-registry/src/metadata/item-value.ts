/** DynamoDB's attribute types. */
const ATTRIBUTE_TYPES = Object.freeze(['S', 'N', 'B', 'BOOL', 'NULL', 'M', 'L', 'SS', 'NS', 'BS'] as const);

/** One of them. */
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

/** A value as DynamoDB's JSON has it: exactly one member is there. Numbers are text, binary is base64 text. */
export interface ItemValue {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly B?: string | undefined;
  readonly BOOL?: boolean | undefined;
  readonly NULL?: boolean | undefined;
  readonly M?: Readonly<Record<string, ItemValue>> | undefined;
  readonly L?: readonly ItemValue[] | undefined;
  readonly SS?: readonly string[] | undefined;
  readonly NS?: readonly string[] | undefined;
  readonly BS?: readonly string[] | undefined;
}

/** An item: values by attribute name. */
export type Item = Readonly<Record<string, ItemValue>>;

/** The type of a value; null for one that this service does not know. */
export function typeOf(value: ItemValue): AttributeType | null {
  return ATTRIBUTE_TYPES.find((type) => value[type] !== undefined) ?? null;
}
