/**
 * The form of a region's name: `eu-west-1`, `us-gov-east-1`, `eusc-de-east-1`. There is no list of regions here, so
 * that a new region needs no release. The name becomes part of a host name, so no other characters are allowed.
 */
export const REGION_NAME = /^(?=.{1,32}$)[a-z]{2,8}(-[a-z]+)+-\d{1,2}$/;
