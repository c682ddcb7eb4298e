/**
 * The form of a region's name: `eu-west-1`, `us-gov-east-1`, `eusc-de-east-1`. Which regions there are is not kept here,
 * so that a new one needs no release; the name becomes part of a host's, so it holds nothing else.
 */
export const REGION_NAME = /^(?=.{1,32}$)[a-z]{2,8}(-[a-z]+)+-\d{1,2}$/;
