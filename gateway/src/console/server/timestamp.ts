/** Epoch seconds as the API shows times. */
export const timestampOf = (seconds: number | bigint): string =>
  new Date(Number(seconds) * 1000).toISOString();
