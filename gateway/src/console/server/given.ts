/** A part of a message that its service always sends; the types of messages can't tell. */
export function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a service left out a part of its answer');
  return value;
}
