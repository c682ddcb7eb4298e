/** Whether whole forms are wanted (PENSTOCK_TEST_LONG=1): without it, each kind of failure has a short one. */
export const isLong = process.env['PENSTOCK_TEST_LONG'] === '1';
