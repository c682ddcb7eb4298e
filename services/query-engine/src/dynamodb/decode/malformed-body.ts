/** An answer that is not what DynamoDB's API says it is. The message tells where, never what was in it. */
export class MalformedBodyError extends Error {
  override readonly name = 'MalformedBodyError';
}
