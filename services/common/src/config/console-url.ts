/** Where the console is, as auth and the gateway agree: beside the REST API unless a setting says otherwise. */
export function consoleUrlOf(config: {
  readonly PENSTOCK_BASE_URL: string;
  readonly PENSTOCK_CONSOLE_URL?: string | undefined;
}): string {
  return config.PENSTOCK_CONSOLE_URL ?? new URL('/console', config.PENSTOCK_BASE_URL).href;
}
