import { expect } from 'chai';
import { checkFields } from '../../src/schemas/validate-fields.ts';

const ACCOUNT = '111122223333';
const fields = (region: string, partition: string) => ({
  region,
  accountId: ACCOUNT,
  roleArn: `arn:${partition}:iam::${ACCOUNT}:role/penstock-access`,
  externalId: 'external-1',
  tableAllowlist: [],
  readLimits: null,
});

describe('the region and partition of a schema', () => {
  for (const [region, partition] of [
    ['eu-west-1', 'aws'],
    ['ap-southeast-7', 'aws'],
    ['us-gov-east-1', 'aws-us-gov'],
    ['cn-northwest-1', 'aws-cn'],
    ['eusc-de-east-1', 'aws-eusc'],
    ['us-isob-east-1', 'aws-iso-b'],
    // Not in the SDK's list, but of a pattern that it knows.
    ['eusc-de-west-7', 'aws-eusc'],
    ['mx-north-12', 'aws'],
  ] as const)
    it(`takes ${region} with a role of ${partition}`, () => checkFields(fields(region, partition)));

  for (const [region, partition, needed] of [
    ['cn-north-1', 'aws', 'aws-cn'],
    ['eusc-de-east-1', 'aws', 'aws-eusc'],
    ['us-gov-west-1', 'aws', 'aws-us-gov'],
    ['eu-west-1', 'aws-cn', 'aws'],
    ['eu-west-1', 'aws-nowhere', 'aws'],
  ] as const)
    it(`refuses ${region} with a role of ${partition}, and says which it must be`, () => {
      expect(() => checkFields(fields(region, partition)))
        .to.throw(`roleArn must begin with arn:${needed}: to reach tables in ${region}`)
        .with.property('code', 'VALIDATION_ERROR');
    });

  for (const region of [
    'EU-WEST-1',
    'eu-west',
    'eu_west_1',
    'eu-west-1.evil',
    'aws-global',
    `${'a-'.repeat(40)}1`,
  ])
    it(`refuses ${region.slice(0, 20)}`, () => {
      expect(() => checkFields(fields(region, 'aws'))).to.throw(/^region must be/);
    });
});
