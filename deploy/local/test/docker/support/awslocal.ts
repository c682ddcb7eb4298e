#!/usr/bin/env node
/**
 * What the seed script uses of `awslocal`, on the SDK: `awslocal <service> <operation> --cli-input-json <JSON>`. The
 * endpoint is AWS_ENDPOINT_URL, as for the AWS CLI.
 */
const [service = '', operation = '', flag = '', input = ''] = process.argv.slice(2);
const name = operation.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

try {
  if (flag !== '--cli-input-json') throw new Error(`Unknown option ${flag}`);
  const settings = { region: process.env['AWS_DEFAULT_REGION'] ?? '' };
  // One of them only: loading is most of what a call takes.
  const client =
    service === 'iam'
      ? new (await import('@aws-sdk/client-iam')).IAM(settings)
      : new (await import('@aws-sdk/client-dynamodb')).DynamoDB(settings);
  const method = `${name[0]?.toLowerCase()}${name.slice(1)}`;
  const answer = await (client as unknown as Readonly<Record<string, (input: unknown) => Promise<unknown>>>)[
    method
  ]?.(JSON.parse(input));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
} catch (error) {
  // As the AWS CLI words it.
  const { name: code, message } = error as Error;
  process.stderr.write(`An error occurred (${code}) when calling the ${name} operation: ${message}\n`);
  process.exitCode = 254;
}
