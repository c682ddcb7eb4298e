/** PostgreSQL says that nothing can be written; where to write instead is ours to say. */
export const WRITE_HINT =
  'Penstock reads DynamoDB and never writes: write with the AWS SDK, and read what was written here';
