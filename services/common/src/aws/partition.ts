import { partition } from '@aws-sdk/core/client';

/**
 * The partition that a region is in, by the SDK's own data: `aws`, `aws-cn`, `aws-us-gov`, `aws-eusc`, … For an
 * unknown region the SDK goes by the pattern of its name, else it says `aws`. No role of one partition can read
 * tables of another (IAM User Guide, "IAM ARNs").
 */
export function partitionOf(region: string): string {
  const { name } = partition(region);
  if (typeof name !== 'string') throw new TypeError('the SDK has no name for a partition');
  return name;
}
